#pragma once

#include <cstdint>
#include <filesystem>

#include "core/base/job.h"
#include "core/base/result.h"

// Blender's own files are read by Blender, which exports them as a GLB.
namespace ck {

// Whether a file is Blender's own, by how it begins; a packed one by its ending as well.
bool isBlenderFile(const std::filesystem::path& file);

// The Blender to start: $CROWDKILN_BLENDER, an absolute path, if it is set, else `blender` in
// $PATH. Empty if there is none.
std::filesystem::path findBlender();

// A new folder that only this user may enter. It is removed with this object.
class PrivateFolder {
 public:
  PrivateFolder() = default;
  ~PrivateFolder();
  PrivateFolder(PrivateFolder&& other) noexcept;
  PrivateFolder& operator=(PrivateFolder&& other) noexcept;

  // In the system's folder for temporary files. Fails with CannotWrite.
  static Result<PrivateFolder> make();

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// The export that Blender has made of a file.
struct BlenderExport {
  PrivateFolder folder;
  std::filesystem::path glb;  // in the folder
  Notes notes;                // what was left out or changed
};

// Lets Blender export the figures of a file: armatures with their meshes, modifiers applied, and
// all actions. Blender runs without the user's settings and without the scripts of the file; it
// gets `memoryBytes` of address space, but at least 4 GiB, 300 s, no network and no other process;
// it may write nowhere but in the folder, and read only there, in the folder of the file, and what
// Blender and the system are made of (where the system can confine it). A stop request ends it at
// once. Messages do not name the file. Errors: Unsupported (there is no Blender), ImportNoWorker,
// ImportFailed, ImportCrashed, ImportTimeout, CannotWrite, Cancelled.
Result<BlenderExport> exportByBlender(const std::filesystem::path& file,
                                      const std::filesystem::path& worker,
                                      std::uint64_t memoryBytes, JobContext job = {});

}  // namespace ck

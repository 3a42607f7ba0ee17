#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "core/base/job.h"
#include "core/project/project.h"

namespace ck {

// The plan of copies that collectProject() makes.
struct Collection {
  struct Copy {
    std::filesystem::path from;
    std::filesystem::path to;
  };
  std::filesystem::path projectFile;  // the new one
  std::vector<Copy> copies;
  // The projects to write, with the new paths: those that are sources first, the one that is
  // collected last.
  std::vector<std::pair<std::filesystem::path, Project>> projects;

  // Files that are there already and would be replaced.
  std::vector<std::filesystem::path> existing() const;
  std::uint64_t bytes() const;  // of the copies
};

// Plans a copy of a project in `folder` that needs nothing outside of it: `NAME.crowd`, the atlas
// that lies beside `projectFile` (which may be empty), and in folders below all rigs, clips and
// props with the pictures that they name, and the projects that are sources, with theirs. Fails
// with FileNotFound if a source is missing, and as readProjectFile() does. Sources that lie there
// already, as after an earlier collection, keep their places.
Result<Collection> planCollection(const Project& project, const std::filesystem::path& projectFile,
                                  const std::filesystem::path& folder, const std::string& name);

// Copies the files and writes the projects, the one that was collected last. Replaces what
// existing() lists, once all files are copied beside (PATH.collecting), so that the sources may lie
// in the folder itself. Errors: CannotWrite, Cancelled; copies that failed leave nothing.
Result<void> writeCollection(const Collection& collection, const JobContext& job = {});

}  // namespace ck

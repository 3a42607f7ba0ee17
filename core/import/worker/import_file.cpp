#include "core/import/worker/import_file.h"

#include "core/base/files.h"
#include "core/import/worker/assimp/assimp_import.h"
#include "core/import/worker/bvh/bvh_read.h"
#include "core/import/worker/md5/md5_read.h"

namespace ck::worker {
namespace {

Result<SourceScene> readScene(std::span<const std::byte> bytes, FileKind kind, SourceFolder& folder,
                              const Progress& progress) {
  switch (kind) {
    case FileKind::Gltf:
      return readGltf(bytes, folder, progress);
    case FileKind::Md5Mesh:
      return readMd5Mesh(bytes, folder);
    case FileKind::Md5Anim:
      return readMd5Anim(bytes);
    case FileKind::Bvh:
      return readBvh(bytes);
    case FileKind::Iqm:
      return fail(ErrorCode::Unsupported,
                  "IQM rigs cannot be read: only their mesh would come through; export as glTF");
    case FileKind::Unknown:
      return fail(ErrorCode::Unsupported,
                  "this is none of the formats that can be read: glTF, GLB, FBX, Collada (DAE), "
                  "MD5, BVH, X");
    default:
      return readWithAssimp(bytes, kind, folder, progress);
  }
}

}  // namespace

Result<Character> importFile(const std::filesystem::path& file, const Progress& progress) {
  progress(0.0f, "Opening the file");
  const auto bytes = readFile(file, kFileLimitBytes);
  if (!bytes) return tl::unexpected(bytes.error());
  if (bytes->empty()) return fail(ErrorCode::InvalidInput, "the file is empty");
  SourceFolder folder(file);
  const FileKind kind = kindOf(*bytes, file);
  auto scene = readScene(*bytes, kind, folder, progress);
  if (!scene) return tl::unexpected(scene.error());
  scene->source.hash = hashBytes(*bytes);
  // These formats hold one unnamed clip, so it gets the file's name.
  if (kind == FileKind::Md5Anim || kind == FileKind::Bvh) {
    for (SourceClip& clip : scene->clips) clip.name = pathText(file.stem());
  }
  progress(0.9f, "Putting the rig together");
  return assembleCharacter(std::move(*scene));
}

}  // namespace ck::worker

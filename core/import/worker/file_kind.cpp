#include "core/import/worker/file_kind.h"

#include <algorithm>
#include <string_view>

#include "core/base/files.h"
#include "core/import/worker/gltf_import.h"

namespace ck::worker {

FileKind kindOf(std::span<const std::byte> bytes, const std::filesystem::path& file) {
  if (looksLikeGlb(bytes) || looksLikeJson(bytes)) return FileKind::Gltf;
  const std::string_view head(reinterpret_cast<const char*>(bytes.data()),
                              std::min<std::size_t>(bytes.size(), 4'096));
  const auto holds = [&head](std::string_view text) {
    return head.find(text) != std::string_view::npos;
  };
  if (head.starts_with("Kaydara FBX Binary")) return FileKind::Fbx;
  if (holds("FBXHeaderExtension") || (head.starts_with(";") && holds("FBX"))) return FileKind::Fbx;
  if (holds("<COLLADA")) return FileKind::Collada;
  if (head.starts_with("MD5Version")) {
    return holds("numMeshes") ? FileKind::Md5Mesh : FileKind::Md5Anim;
  }
  if (head.starts_with("HIERARCHY")) return FileKind::Bvh;
  if (head.starts_with("xof ")) return FileKind::X;
  if (head.starts_with("INTERQUAKEMODEL")) return FileKind::Iqm;

  std::string ending = pathText(file.extension());
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : static_cast<char>(c);
  });
  if (ending == ".glb" || ending == ".gltf") return FileKind::Gltf;
  if (ending == ".fbx") return FileKind::Fbx;
  if (ending == ".dae") return FileKind::Collada;
  if (ending == ".bvh") return FileKind::Bvh;
  if (ending == ".x") return FileKind::X;
  return FileKind::Unknown;
}

std::string kindName(FileKind kind) {
  switch (kind) {
    case FileKind::Gltf:
      return "glTF";
    case FileKind::Fbx:
      return "FBX";
    case FileKind::Collada:
      return "Collada";
    case FileKind::Md5Mesh:
    case FileKind::Md5Anim:
      return "MD5";
    case FileKind::Bvh:
      return "BVH";
    case FileKind::X:
      return "X";
    case FileKind::Iqm:
      return "IQM";
    case FileKind::Unknown:
      break;
  }
  return "unknown";
}

}  // namespace ck::worker

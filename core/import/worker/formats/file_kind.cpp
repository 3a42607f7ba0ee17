#include "core/import/worker/formats/file_kind.h"

#include <algorithm>
#include <string_view>

#include "core/base/files.h"
#include "core/import/worker/gltf/gltf_import.h"

namespace ck::worker {
namespace {

// Without a byte order mark and the blanks and line ends before the first word.
std::string_view withoutBlanks(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

}  // namespace

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
  const std::string_view start = withoutBlanks(head);
  std::string ending = pathText(file.extension());
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : static_cast<char>(c);
  });
  if (start.starts_with("MD5Version")) {
    if (holds("numMeshes")) return FileKind::Md5Mesh;
    return holds("numFrames") || ending != ".md5mesh" ? FileKind::Md5Anim : FileKind::Md5Mesh;
  }
  if (start.starts_with("HIERARCHY")) return FileKind::Bvh;
  if (head.starts_with("xof ")) return FileKind::X;
  if (head.starts_with("INTERQUAKEMODEL")) return FileKind::Iqm;
  if (ending == ".glb" || ending == ".gltf") return FileKind::Gltf;
  if (ending == ".fbx") return FileKind::Fbx;
  if (ending == ".dae") return FileKind::Collada;
  if (ending == ".bvh") return FileKind::Bvh;
  if (ending == ".md5mesh") return FileKind::Md5Mesh;
  if (ending == ".md5anim") return FileKind::Md5Anim;
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

#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace ck {

// The supported rig formats: kind, name, ending, and whether the format holds clips only. A new
// format needs a row here and a reader: the two functions that worker/formats/rig_reader.h declares
// for each row. The linker reports missing functions. Blender's own files never reach theirs:
// Blender exports them first (blender_export.h).
#define CK_RIG_FORMATS(ROW)             \
  ROW(Gltf, "glTF", "gltf", false)      \
  ROW(Vrm, "VRM", "vrm", false)         \
  ROW(Vrma, "VRM", "vrma", true)        \
  ROW(Glb, "GLB", "glb", false)         \
  ROW(Fbx, "FBX", "fbx", false)         \
  ROW(Collada, "Collada", "dae", false) \
  ROW(Md5Mesh, "MD5", "md5mesh", false) \
  ROW(Md5Anim, "MD5", "md5anim", true)  \
  ROW(Bvh, "BVH", "bvh", true)          \
  ROW(X, "X", "x", false)               \
  ROW(Blend, "Blender", "blend", false)

#define CK_ROW(kind, name, ending, clipsOnly) kind,
enum class RigKind { CK_RIG_FORMATS(CK_ROW) };
#undef CK_ROW

struct RigFormat {
  RigKind kind;
  std::string_view name;    // as in SourceInfo::format, e.g. "Collada"
  std::string_view ending;  // lower case, e.g. "dae"
  bool clipsOnly;           // motion without a mesh: one clip, named after its file
};

// Indexed by RigKind.
#define CK_ROW(kind, name, ending, clipsOnly) {RigKind::kind, name, ending, clipsOnly},
inline constexpr RigFormat kRigFormats[] = {CK_RIG_FORMATS(CK_ROW)};
#undef CK_ROW

constexpr const RigFormat& rigFormat(RigKind kind) {
  return kRigFormats[static_cast<std::size_t>(kind)];
}

// The format with the ending of `file`, in any letter case; nullptr if there is none.
const RigFormat* rigFormatByEnding(const std::filesystem::path& file);

// All names for a message: "glTF, VRM, GLB, FBX, Collada, MD5, BVH, X or Blender".
std::string rigFormatNames();

}  // namespace ck

#include "tests/support/rig_files.h"

#include <map>

#include "core/system/files.h"
#include "tests/support/reference_poses.h"

namespace ck::test {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kNoClips = "no clips";
constexpr std::string_view kNoSkin = "no skin";

const std::map<std::string, std::string_view> kNotBaked = {
    {"agen_skin/Animation_Skin_00.gltf", kNoClips},
    {"agen_skin/Animation_Skin_02.gltf", kNoClips},
    {"agen_skin/Animation_Skin_03.gltf", kNoClips},
    {"agen_skin/Animation_Skin_04.gltf", kNoClips},
    {"agen_skin/Animation_Skin_06.gltf", kNoClips},
    {"agen_skin/Animation_Skin_07.gltf", kNoClips},
    {"agen_skin/Animation_Skin_11.gltf", kNoClips},
    {"greenman/greenman_hat.glb", kNoClips},
    {"greenman/greenman_shield.glb", kNoClips},
    {"greenman/greenman_sword.glb", kNoClips},
    {"magnum_corner/animation-patching.gltf", kNoSkin},
    {"magnum_corner/animation-splines-sharing.gltf", kNoSkin},
    {"magnum_corner/animation-splines-single-or-no-keyframes.gltf", kNoSkin},
    {"magnum_corner/skin-dummy-weights.gltf", kNoClips},
    {"magnum_corner/skin-multiple-sets.gltf", kNoClips},
    {"magnum_corner/skin-shared.gltf", kNoClips},
    {"magnum_corner/skin.gltf", kNoClips},
    {"morph_primitives/MorphPrimitivesTest.gltf", kNoClips},
    {"quad_skin_12inf/quad_skin.glb", kNoClips},
};

constexpr const char* kForeignRigs[] = {
    "assimp_fbx/huesitos.fbx",
    "ufbx_blender_sausage/blender_279_sausage_7400_binary.fbx",
    "ufbx_inherit_scale/maya_mixed_inherit_mode_7700_ascii.fbx",
    "ufbx_sausage/maya_game_sausage_7500_binary_combined.fbx",
    "ufbx_transformed_skin/max_transformed_skin_7500_binary.fbx",
    "assimp_dae/library_animation_clips.dae",
    "thinmatrix_cowboy/model.dae",
};

}  // namespace

std::vector<RigFile> rigFiles() {
  std::vector<RigFile> files;
  const fs::path project = CK_SOURCE_DIR;
  for (const char* name : {"humanoid.glb", "animal.glb"}) {
    files.push_back({name, project / "resources/samples" / name, {}});
  }
  for (const char* name : {"strip.gltf", "strip.fbx", "strip.dae", "strip.x"}) {
    files.push_back({name, project / "tests/data/rigs" / name, {}});
  }
  const fs::path shared = fs::path(CK_SHARED_DIR) / "models";
  if (!fs::exists(shared)) return files;
  for (const char* ending : {".glb", ".gltf"}) {
    for (const fs::path& file : filesBelow(shared, ending)) {
      const std::string name = pathText(file.lexically_relative(shared));
      if (name.starts_with("invalid")) continue;
      const auto known = kNotBaked.find(name);
      files.push_back({name, file, known == kNotBaked.end() ? "" : known->second});
    }
  }
  for (const char* name : kForeignRigs) files.push_back({name, shared / name, {}});
  return files;
}

std::string_view whyNotBaked(const Character& character) {
  if (character.rig.skinJoints.empty()) return kNoSkin;
  return character.clips.empty() ? kNoClips : std::string_view();
}

}  // namespace ck::test

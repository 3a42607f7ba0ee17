#include "core/export/targets/export_target.h"

#include <algorithm>
#include <array>

#include "core/export/targets/babylon.h"
#include "core/export/targets/glb.h"
#include "core/export/targets/impostor_folder.h"
#include "core/export/targets/playcanvas.h"
#include "core/export/targets/player_document.h"
#include "core/export/targets/shader_files.h"
#include "core/export/targets/three.h"
#include "core/export/targets/web.h"

namespace ck {
namespace {

constexpr std::array<std::string_view, 3> kSkinUvNames = {"none", "separate", "packed"};

constexpr ExportTarget kExportTargets[] = {
    {TargetKind::Glb, "glb", ".mesh.glb", "Mesh (GLB)",
     "the character as the atlas binds it, for any program", glbFiles, nullptr, nullptr},
    {TargetKind::Shaders, "shaders", ".shaders/", "Shader text",
     "decoding in GLSL, HLSL and WGSL, for an engine of your own", shaderFiles, nullptr, nullptr},
    {TargetKind::Impostors, "impostors", ".impostors/", "Impostors",
     "pictures of far actors, for engines and for the web page and three.js", impostorFiles,
     impostorLosses, nullptr},
    {TargetKind::Web, "web", ".html", "Web page", "one page that plays the crowd, to mail around",
     webFiles, webLosses, playerShows},
    {TargetKind::Three, "three", ".three/", "three.js",
     "a folder with a module that plays the crowd in three.js", threeFiles, threeLosses,
     playerShows},
    {TargetKind::Babylon, "babylon", ".babylon/", "Babylon.js",
     "a crowd for its BakedVertexAnimationManager", babylonFiles, babylonLosses, babylonShown},
    {TargetKind::PlayCanvas, "playcanvas", ".playcanvas/", "PlayCanvas",
     "a .vat for its script vat-characters", playCanvasFiles, playCanvasLosses, playCanvasShown},
};

}  // namespace

std::string_view skinUvName(SkinUv skinUv) {
  return kSkinUvNames[static_cast<std::size_t>(skinUv)];
}
std::optional<SkinUv> skinUvFromName(std::string_view name) {
  const auto* const found = std::ranges::find(kSkinUvNames, name);
  if (found == kSkinUvNames.end()) return std::nullopt;
  return static_cast<SkinUv>(found - kSkinUvNames.begin());
}

std::span<const ExportTarget> exportTargets() {
  return kExportTargets;
}
const ExportTarget& exportTarget(TargetKind kind) {
  return *std::ranges::find(kExportTargets, kind, &ExportTarget::kind);
}
bool isEngine(const ExportTarget& target) {
  return target.shown != nullptr;
}
bool isNeutral(const ExportTarget& target) {
  return !isEngine(target) && target.kind != TargetKind::Impostors;
}
std::optional<TargetKind> targetKindFromName(std::string_view name) {
  const auto* const found = std::ranges::find(kExportTargets, name, &ExportTarget::name);
  if (found == std::end(kExportTargets)) return std::nullopt;
  return found->kind;
}

}  // namespace ck

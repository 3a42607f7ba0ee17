#include "render/gl/shader_library.h"

#include <algorithm>
#include <utility>

namespace ck::render {
namespace {

constexpr std::pair<const char*, int> kSamplers[] = {
    {"ckAtlas", unit::kAtlas},
    {"ckJoints", unit::kJoints},
    {"ckFrameClips", unit::kFrameClips},
    {"ckImages", unit::kImages},
    {"ckMaterials", unit::kMaterials},
    {"ckSkinned", unit::kSkinned},
    {"ckFootprints", unit::kFootprints},
    {"ckPalette", unit::kPalette},
    {"ckPaletteX", unit::kPalette},
    {"ckPaletteY", unit::kPalette + 1},
    {"ckPaletteZ", unit::kPalette + 2},
    {"ckSlots", unit::kSlots},
    {"ckActors", unit::kActors},
    {"ckParents", unit::kParents},
    {"ckSlotActors", unit::kSlotActors},
    {"ckLiveJoints", unit::kLiveJoints},
    {"ckBinds", unit::kBinds},
    {"ckShadowMap", unit::kShadowMap},
    {"ckPrevious", unit::kPrevious},
    {"ckSkinnedVertices", unit::kSkinned},
    {"ckBindVertices", unit::kBinds},
    {"ckTargets", unit::kSlots},
    {"ckDataImages", unit::kDataImages},
    {"ckNormalMaterials", unit::kNormalMaterials},
    {"ckSurfaces", unit::kSurfaces},
    {"ckBlendSum", unit::kBlendSum},
    {"ckBlendWeight", unit::kBlendWeight},
    {"ckSkinnedTangents", unit::kTangents},
    {"ckUploadedTangents", unit::kTangents},
    {"ckMorphSlots", unit::kMorphSlots},
    {"ckMorphRows", unit::kMorphRows},
    {"ckMorphVertices", unit::kMorphVertices},
    {"ckMorphEntries", unit::kMorphEntries},
    {"ckMorphSums", unit::kMorphSums},
    {"ckNearActors", unit::kMorphSlots},
    {"ckFrameWeights", unit::kMorphVertices},
    {"ckOwnWeights", unit::kMorphEntries},
    {"ckTargetActors", unit::kTargetActors},
    {"ckImpostors", unit::kImpostors},
    {"ckImpostorFrames", unit::kImpostorFrames},
    {"ckImpostorMoments", unit::kImpostorMoments},
    {"ckImpostorDirections", unit::kImpostorDirections},
    {"ckClips", unit::kClips},
};

}  // namespace

Result<const Program*> ShaderLibrary::program(const ProgramRequest& request) {
  if (const auto found = programs_.find(request); found != programs_.end()) {
    found->second.usedIn = frame_;
    found->second.program.use();
    return &found->second.program;
  }
  auto linked = link(request);
  if (!linked) return tl::unexpected(linked.error());
  linked->use();
  for (const auto& [name, textureUnit] : kSamplers) linked->set(name, textureUnit);
  linked->setBlock("ckActorBlock", block::kActors);
  linked->setBlock("ckInverseBindBlock", block::kInverseBinds);
  return &programs_.emplace(request, Kept{std::move(*linked), frame_}).first->second.program;
}

void ShaderLibrary::startFrame() {
  while (programs_.size() > kKept) {
    const auto oldest = std::ranges::min_element(
        programs_, {}, [](const auto& entry) { return entry.second.usedIn; });
    if (oldest->second.usedIn == frame_) break;
    programs_.erase(oldest);
  }
  ++frame_;
}

Result<Program> ShaderLibrary::link(const ProgramRequest& request) const {
  auto vertex = expandShader(request.vertex, request.defines, load_);
  if (!vertex) return tl::unexpected(vertex.error());
  ShaderSource fragment;
  if (!request.fragment.empty()) {
    auto expanded = expandShader(request.fragment, request.defines, load_);
    if (!expanded) return tl::unexpected(expanded.error());
    fragment = std::move(*expanded);
  }
  return Program::link(*vertex, fragment, request.feedback, request.feedbackApart);
}

}  // namespace ck::render

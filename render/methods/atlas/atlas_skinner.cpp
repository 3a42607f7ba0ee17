#include "render/methods/atlas/atlas_skinner.h"

namespace ck::render {
Result<void> AtlasSkinner::update(const SkinningTick& tick) {
  std::string refusal = whyNotDrawn(Method::Atlas, encodingOf(input_.atlas->atlas->recipe));
  if (!refusal.empty()) return fail(ErrorCode::Unsupported, std::move(refusal));
  const AtlasVariant wanted{.sampling = tick.pose.sampling,
                            .influences = tick.pose.influences,
                            .blend = tick.pose.fades && tick.crowd.fadingActors() > 0};
  if (std::string reason = whyNotSampled(*input_.atlas->atlas, wanted); !reason.empty()) {
    return fail(ErrorCode::Unsupported, std::move(reason));
  }
  variant_ = wanted;
  return readyMorphs(tick);
}

Result<const Program*> AtlasSkinner::startedFor(const DrawPass& pass) const {
  PoseShader pose{.file = "pose/atlas_pose.glsl", .defines = decodeDefines(*input_.atlas)};
  const int sampling =
      variant_.sampling == Sampling::HardwareLinear ? 2 : isBetweenFrames(variant_.sampling);
  pose.defines.push_back({"CK_INFLUENCES", variant_.influences});
  pose.defines.push_back({"CK_SAMPLING", sampling});
  pose.defines.push_back({"CK_BLEND", variant_.blend});
  pose.defines.push_back({"CK_NEXT_IN_B", nextInB_});
  if (input_.actors.form() == ActorRecord::Compact) {
    pose.defines.push_back({"CK_COMPACT_RECORD", 1});
  }
  auto started = program(pose, pass);
  if (started) bindAtlas(**started, *input_.atlas, variant_.sampling);
  return started;
}

Result<void> AtlasSkinner::draw(const DrawPass& pass) const {
  return drawAll(startedFor(pass), pass);
}

SkinnerCost AtlasSkinner::cost(std::size_t actors, std::span<const IndexRun> runs) const {
  return {.drawCalls = instancedCalls(actors, runs),
          .fetchesPerVertex = fetchesPerVertex(*input_.atlas->atlas, variant_)};
}

template <>
SkinnerResult skinnerOf<Method::Atlas>(const SkinnerInput& input) {
  return std::make_unique<AtlasSkinner>(input);
}

}  // namespace ck::render

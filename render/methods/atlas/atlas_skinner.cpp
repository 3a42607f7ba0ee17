#include "render/methods/atlas/atlas_skinner.h"

#include "render/skinning/atlas_decode.h"

namespace ck::render {

namespace {

int samplingNumber(Sampling sampling) {
  switch (sampling) {
    case Sampling::Nearest:
    case Sampling::Compact:
      return 0;
    case Sampling::AsBaked:
    case Sampling::Interpolated:
      return 1;
    case Sampling::HardwareLinear:
      return 2;
  }
  return 1;
}

}  // namespace

AtlasSkinner::AtlasSkinner(const SkinnerInput& input, bool nextInB)
    : input_(input),
      vertexArray_(makeActorVertexArray(input.character, &input.actors)),
      nextInB_(nextInB) {}

Result<void> AtlasSkinner::update(const SkinningTick& tick) {
  const AtlasVariant wanted{.sampling = tick.pose.sampling,
                            .influences = tick.pose.influences,
                            .blend = tick.pose.fades && tick.crowd.fadingActors() > 0};
  if (std::string reason = whyNotSampled(*input_.atlas->atlas, wanted); !reason.empty()) {
    return fail(ErrorCode::Unsupported, std::move(reason));
  }
  variant_ = wanted;
  return readyFaces(tick);
}

Result<const Program*> AtlasSkinner::startedFor(const DrawPass& pass) const {
  PoseShader pose{.file = "crowd/atlas_pose.glsl",
                  .defines = {{"CK_INFLUENCES", variant_.influences},
                              {"CK_SAMPLING", samplingNumber(variant_.sampling)},
                              {"CK_BLEND", variant_.blend},
                              {"CK_NEXT_IN_B", nextInB_}}};
  if (input_.actors.form() == ActorRecord::Compact) {
    pose.defines.push_back({"CK_COMPACT_RECORD", 1});
  }
  define(decodeOf(*input_.atlas), pose.defines);
  const auto program = programFor(input_.shaders, pose, pass, input_.character);
  if (program) bindAtlas(**program, *input_.atlas, variant_.sampling);
  return program;
}

Result<void> AtlasSkinner::draw(const DrawPass& pass) const {
  const auto program = startedFor(pass);
  if (!program) return tl::unexpected(program.error());
  drawActors(**program, vertexArray_, input_.character, input_.actors, pass);
  return {};
}

int AtlasSkinner::fetchesPerVertex() const {
  return render::fetchesPerVertex(*input_.atlas->atlas, variant_);
}

template <>
SkinnerResult skinnerOf<Method::Atlas>(const SkinnerInput& input) {
  return std::make_unique<AtlasSkinner>(input);
}

}  // namespace ck::render

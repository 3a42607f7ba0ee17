#include "render/methods/pool/pool_skinner.h"

#include <fmt/format.h>

#include <algorithm>

#include "render/methods/palette/palette_slots.h"

namespace ck::render {
namespace {

// One record per frame of the atlas.
OwnedActorRecords framesOf(const AtlasGpu& atlas) {
  OwnedActorRecords records;
  for (int frame = 0; frame < atlas.frameCount; ++frame) {
    records.add({}, {.frameA = frame, .alphaA = 0.0f, .frameB = -1, .alphaB = 0.0f});
  }
  return records;
}

}  // namespace

PoolSkinner::PoolSkinner(const SkinnerInput& input)
    : input_(input),
      vertexArray_(makeActorVertexArray(input.character, &input.actors)),
      palette_(*input.atlas, input.facts, input.shaders) {}

Result<void> PoolSkinner::update(const SkinningTick& tick) {
  uploadedBytes_ = 0;
  if (auto faces = readyFaces(tick); !faces) return faces;
  variant_.influences = tick.pose.influences;
  variant_.sampling = samplingFor(isBetweenFrames(tick.pose.sampling));
  variant_.blend = anyShowsTwoClips(tick.records);
  if (filled_) return {};
  const OwnedActorRecords frames = framesOf(*input_.atlas);
  if (auto done = palette_.fill({frames.view(), false, false}, false); !done) {
    return fail(done.error().code,
                fmt::format("the pool of all {} frames does not fit ({}); bake fewer frames, or "
                            "choose the method palette",
                            frames.size(), done.error().message));
  }
  uploadedBytes_ = palette_.pass().uploadedBytes();
  filled_ = true;
  return {};
}

Result<void> PoolSkinner::draw(const DrawPass& pass) const {
  const PoseShader pose{
      .file = "crowd/pool_pose.glsl",
      .defines = {{"CK_PALETTE_ROWS", 1},
                  {"CK_INFLUENCES", variant_.influences},
                  {"CK_SAMPLING", isBetweenFrames(variant_.sampling)},
                  {"CK_BLEND", variant_.blend},
                  {"CK_PALETTE_TARGETS", palette_.pass().fill() == PaletteFill::Fragment}}};
  const auto program = programFor(input_.shaders, pose, pass, input_.character);
  if (!program) return tl::unexpected(program.error());
  palette_.pass().bind(**program);
  (*program)->set("ckFrameCount", input_.atlas->frameCount);
  drawActors(**program, vertexArray_, input_.character, input_.actors, pass);
  return {};
}

int PoolSkinner::fetchesPerVertex() const {
  return render::fetchesPerVertex(Method::Pool, *input_.atlas->atlas, variant_);
}

template <>
SkinnerResult skinnerOf<Method::Pool>(const SkinnerInput& input) {
  return std::make_unique<PoolSkinner>(input);
}

}  // namespace ck::render

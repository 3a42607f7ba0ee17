#include "render/methods/pool/pool_skinner.h"

#include <fmt/format.h>

#include <algorithm>

#include "render/methods/palette/palette_slots.h"

namespace ck::render {
namespace {

// A record for every frame of an atlas.
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
      palette_(*input.atlas, input.facts, input.shaders) {
  variant_.pose = ShaderPose::Pool;
  variant_.paletteTargets = palette_.pass().fill() == PaletteFill::Fragment;
}

Result<void> PoolSkinner::update(const SkinningTick& tick) {
  uploadedBytes_ = 0;
  if (auto faces = readyFaces(tick); !faces) return faces;
  variant_.influences = tick.influences;
  variant_.sampling = samplingFor(isBetweenFrames(tick.sampling));
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
  ShaderVariant variant = variant_;
  variant.pass = pass.kind;
  variant.shading = shadingOf(input_.character, pass);
  variant.morphs = pass.morphs != nullptr;
  variant.tangents = showsTangents(pass, input_.character);
  auto found = input_.shaders.program(requestFor(variant));
  if (!found) return tl::unexpected(found.error());
  const Program& program = **found;
  program.use();
  palette_.pass().bind(program);
  program.set("ckFrameCount", input_.atlas->frameCount);
  drawActors(program, vertexArray_, input_.character, input_.actors, pass);
  return {};
}

int PoolSkinner::fetchesPerVertex() const {
  const int frames = isBetweenFrames(variant_.sampling) ? 2 : 1;
  return kPaletteFetches * variant_.influences * frames * (variant_.blend ? 2 : 1);
}

}  // namespace ck::render

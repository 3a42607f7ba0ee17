#include "render/methods/pool/pool_skinner.h"

#include <fmt/format.h>

#include "render/methods/palette/palette_pass.h"
#include "render/methods/palette/palette_slots.h"
#include "render/skinning/draw_actors.h"

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

class PoolSkinner : public ActorSkinner {
 public:
  explicit PoolSkinner(const SkinnerInput& input)
      : ActorSkinner(input), palette_(*input.atlas, input.facts, input.shaders) {}

  // Fails with LimitExceeded if the matrices of all frames do not fit.
  Result<void> update(const SkinningTick& tick) override {
    uploadedBytes_ = 0;
    if (auto morphs = readyMorphs(tick); !morphs) return morphs;
    variant_.influences = tick.pose.influences;
    variant_.sampling = samplingFor(isBetweenFrames(tick.pose.sampling));
    variant_.blend = anyShowsTwoClips(tick.records);
    if (filled_) return {};
    const OwnedActorRecords frames = framesOf(*input_.atlas);
    ActorStream stream;
    auto done = stream.upload(frames.view(), {});
    if (done) {
      done = palette_.fill({.actors = stream, .showsTwoClips = false, .roomToGrow = false}, false);
    }
    if (!done) {
      return fail(done.error().code,
                  fmt::format("the pool of all {} frames does not fit ({}); bake fewer frames, or "
                              "choose the method palette",
                              frames.size(), done.error().message));
    }
    uploadedBytes_ = stream.uploadedBytes();
    filled_ = true;
    return {};
  }

  Result<void> draw(const DrawPass& pass) const override {
    const auto used = program({.file = "pose/pool_pose.glsl",
                               .defines = {{"CK_PALETTE_ROWS", 1},
                                           {"CK_INFLUENCES", variant_.influences},
                                           {"CK_SAMPLING", isBetweenFrames(variant_.sampling)},
                                           {"CK_BLEND", variant_.blend},
                                           {"CK_PALETTE_TARGETS", palette_.drawsTargets()}}},
                              pass);
    if (used) {
      palette_.bind(**used);
      (*used)->set("ckFrameCount", input_.atlas->frameCount);
    }
    return drawAll(used, pass);
  }

  bool drawsParts() const override { return true; }

  SkinnerCost cost(std::size_t actors, std::span<const IndexRun> runs) const override {
    return {.drawCalls = instancedCalls(actors, runs),
            .fetchesPerVertex = fetchesPerVertex(Method::Pool, *input_.atlas->atlas, variant_),
            .uploadedBytes = uploadedBytes_,
            .heldBytes = palette_.sizeBytes()};
  }

 private:
  AtlasPalette palette_;
  bool filled_ = false;
  AtlasVariant variant_;
  std::size_t uploadedBytes_ = 0;
};

}  // namespace

template <>
SkinnerResult skinnerOf<Method::Pool>(const SkinnerInput& input) {
  return std::make_unique<PoolSkinner>(input);
}

}  // namespace ck::render

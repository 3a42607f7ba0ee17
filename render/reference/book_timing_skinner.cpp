#include "render/reference/book_timing_skinner.h"

#include "render/methods/atlas/atlas_skinner.h"
#include "render/reference/book_timing.h"

namespace ck::render {
namespace {

class BookTimingSkinner : public Skinner {
 public:
  BookTimingSkinner(const SkinnerInput& input, double tickSeconds)
      : actors_(input.actors),
        tickSeconds_(tickSeconds),
        poses_({.character = input.character,
                .atlas = input.atlas,
                .actors = timed_,
                .shaders = input.shaders,
                .facts = input.facts},
               true) {}

  Result<void> update(const SkinningTick& tick) override {
    const OwnedActorRecords timed = bookRecords(tick.crowd, tick.records, tickSeconds_);
    std::vector<std::uint32_t> selected;
    for (std::uint32_t actor = 0; actor < timed.size(); ++actor) {
      if (actors_.isSelected(actor)) selected.push_back(actor);
    }
    if (auto stored = timed_.upload(timed.view(), selected); !stored) return stored;
    SkinningTick own = tick;
    own.records = timed.view();
    own.pose.sampling = Sampling::Interpolated;
    own.pose.fades = false;
    return poses_.update(own);
  }
  Result<void> draw(const DrawPass& pass) const override { return poses_.draw(pass); }
  SkinnerCost cost(std::size_t actors, std::span<const IndexRun> runs) const override {
    SkinnerCost cost = poses_.cost(actors, runs);
    cost.uploadedBytes = timed_.uploadedBytes();
    return cost;
  }

 private:
  const ActorStream& actors_;
  double tickSeconds_;
  ActorStream timed_;
  AtlasSkinner poses_;
};

}  // namespace

ReferencePtr bookTimingMethod(double tickSeconds) {
  return std::make_shared<ReferenceMethod>(ReferenceMethod{
      .title = "Book timing",
      .beside = "Timed here",
      .tip =
          "left as timed here, right with the second frame guessed from the length of a tick, as "
          "the write-up does",
      .make = [tickSeconds](const SkinnerInput& input) -> SkinnerResult {
        return std::make_unique<BookTimingSkinner>(input, tickSeconds);
      }});
}

}  // namespace ck::render

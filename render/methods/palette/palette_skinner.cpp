#include "render/methods/palette/palette_skinner.h"

#include "render/methods/palette/palette_slots.h"

namespace ck::render {
namespace {

class PaletteSkinner : public PaletteReader {
 public:
  explicit PaletteSkinner(const SkinnerInput& input)
      : PaletteReader(input), palette_(*input.atlas, input.facts, input.shaders) {}

  Result<void> update(const SkinningTick& tick) override {
    if (auto morphs = readyMorphs(tick); !morphs) return morphs;
    influences_ = tick.pose.influences;
    const bool between = isBetweenFrames(tick.pose.sampling);
    const bool storage = tick.pose.paletteRead == PaletteRead::StorageBuffer;
    PaletteSlots slots = sharedSlots(tick.records, between);
    shared_ = slots.size() * 2 <= tick.records.size();
    if (!shared_) slots = {};
    if (auto stored = slots_.set(slots.slotOf, "the actors' palette slots"); !stored) return stored;
    return palette_.fill({.actors = input_.actors,
                          .slotActors = slots.actorOf,
                          .foldWorld = !shared_,
                          .showsTwoClips = anyShowsTwoClips(tick.records),
                          .readAsStorage = storage},
                         between);
  }

  Result<void> draw(const DrawPass& pass) const override {
    return drawPalette(palette_, shared_ ? &slots_ : nullptr, pass);
  }

  bool drawsParts() const override { return true; }

  SkinnerCost cost(std::size_t actors, std::span<const IndexRun> runs) const override {
    return {.drawCalls = instancedCalls(actors, runs),
            .fetchesPerVertex = kPaletteFetches * influences_ + (shared_ ? 1 : 0),
            .uploadedBytes = palette_.uploadedBytes() + slots_.uploadedBytes(),
            .paletteRead = readOf(palette_)};
  }

 private:
  AtlasPalette palette_;
  IndexTexture slots_;
  bool shared_ = false;
};

}  // namespace

Result<void> PaletteReader::drawPalette(const PalettePass& palette, const IndexTexture* slots,
                                        const DrawPass& pass, bool packed) const {
  PoseShader pose{.file = "pose/palette_pose.glsl",
                  .defines = {{"CK_PALETTE_ROWS", 1},
                              {"CK_INFLUENCES", influences_},
                              {"CK_FOLD_WORLD", slots == nullptr},
                              {"CK_PALETTE_TARGETS", palette.drawsTargets()}}};
  if (palette.readsStorage()) pose.defines.push_back({"CK_PALETTE_STORAGE", 1});
  if (packed) pose.defines.push_back({"CK_PACKED_INFLUENCES", 1});
  const auto used = program(pose, pass);
  if (used) palette.bind(**used);
  if (slots != nullptr) slots->bind(unit::kSlots);
  return drawAll(used, pass);
}

std::unique_ptr<Skinner> makePaletteSkinner(const SkinnerInput& input) {
  return std::make_unique<PaletteSkinner>(input);
}

}  // namespace ck::render

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
    const PaletteSlots slots = sharedSlots(tick.records, between);
    shared_ = slots.records.size() * 2 <= tick.records.size();
    if (!shared_) return palette_.fill({tick.records, true, true, storage}, between);
    auto stored = slots_.upload(slots.slotOf, BufferUse::Stream, "the actors' palette slots");
    if (!stored) return stored;
    return palette_.fill({slots.records.view(), false, true, storage}, between);
  }

  Result<void> draw(const DrawPass& pass) const override {
    return drawPalette(palette_, shared_ ? &slots_ : nullptr, pass);
  }

  SkinnerCost cost(std::size_t actors, std::span<const IndexRun> runs) const override {
    return {.drawCalls = instancedCalls(actors, runs),
            .fetchesPerVertex = kPaletteFetches * influences_ + (shared_ ? 1 : 0),
            .uploadedBytes = palette_.uploadedBytes() + (shared_ ? slots_.sizeBytes() : 0),
            .paletteRead = readOf(palette_)};
  }

 private:
  AtlasPalette palette_;
  BufferTexture slots_{TexelKind::R32I};
  bool shared_ = false;
};

}  // namespace

Result<void> PaletteReader::drawPalette(const PalettePass& palette, const BufferTexture* slots,
                                        const DrawPass& pass, bool packed) const {
  PoseShader pose{.file = "crowd/palette_pose.glsl",
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

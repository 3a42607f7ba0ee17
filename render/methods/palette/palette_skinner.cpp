#include "render/methods/palette/palette_skinner.h"

namespace ck::render {

Result<void> drawPalette(const SkinnerInput& input, const GlHandle& vertexArray,
                         const PalettePass& palette, const BufferTexture* slots, int influences,
                         const DrawPass& pass, bool packedInfluences) {
  PoseShader pose{.file = "crowd/palette_pose.glsl",
                  .defines = {{"CK_PALETTE_ROWS", 1},
                              {"CK_INFLUENCES", influences},
                              {"CK_FOLD_WORLD", slots == nullptr},
                              {"CK_PALETTE_TARGETS", palette.fill() == PaletteFill::Fragment}}};
  if (palette.readsStorage()) pose.defines.push_back({"CK_PALETTE_STORAGE", 1});
  if (packedInfluences) pose.defines.push_back({"CK_PACKED_INFLUENCES", 1});
  const auto program = programFor(input.shaders, pose, pass, input.character);
  if (!program) return tl::unexpected(program.error());
  palette.bind(**program);
  if (slots != nullptr) slots->bind(unit::kSlots);
  drawActors(**program, vertexArray, input.character, input.actors, pass);
  return {};
}

PaletteSkinner::PaletteSkinner(const SkinnerInput& input)
    : input_(input),
      vertexArray_(makeActorVertexArray(input.character, &input.actors)),
      palette_(*input.atlas, input.facts, input.shaders) {}

Result<void> PaletteSkinner::update(const SkinningTick& tick) {
  if (auto faces = readyFaces(tick); !faces) return faces;
  influences_ = tick.pose.influences;
  const bool between = isBetweenFrames(tick.pose.sampling);
  const PaletteSlots slots = sharedSlots(tick.records, between);
  shared_ = slots.records.size() * 2 <= tick.records.size();
  if (!shared_) {
    return palette_.fill(
        {tick.records, true, true, tick.pose.paletteRead == PaletteRead::StorageBuffer}, between);
  }
  auto stored = slots_.upload(slots.slotOf, BufferUse::Stream, "the actors' palette slots");
  if (!stored) return stored;
  return palette_.fill(
      {slots.records.view(), false, true, tick.pose.paletteRead == PaletteRead::StorageBuffer},
      between);
}

Result<void> PaletteSkinner::draw(const DrawPass& pass) const {
  return drawPalette(input_, vertexArray_, palette_.pass(), shared_ ? &slots_ : nullptr,
                     influences_, pass);
}

int PaletteSkinner::fetchesPerVertex() const {
  return kPaletteFetches * influences_ + (shared_ ? 1 : 0);
}

std::size_t PaletteSkinner::uploadedBytes() const {
  return palette_.pass().uploadedBytes() + (shared_ ? slots_.sizeBytes() : 0);
}

}  // namespace ck::render

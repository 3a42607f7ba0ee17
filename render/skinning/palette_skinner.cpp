#include "render/skinning/palette_skinner.h"

namespace ck::render {

PaletteSkinner::PaletteSkinner(const SkinnerInput& input)
    : input_(input),
      vertexArray_(makeActorVertexArray(input.character, &input.actors)),
      palette_(paletteFillFor(input.facts), *input.atlas, input.shaders) {}

Result<void> PaletteSkinner::update(const SkinningTick& tick) {
  influences_ = tick.influences;
  const bool between = isBetweenFrames(tick.sampling);
  const PaletteSlots slots = sharedSlots(tick.records, tick.poseSteps, between);
  shared_ = slots.records.size() * 2 <= tick.records.size();
  if (!shared_) {
    return palette_.run({.poses = tick.records, .interpolate = between, .foldWorld = true});
  }
  auto stored = slots_.upload(std::as_bytes(std::span(slots.slotOf)), BufferUse::Stream,
                              "the actors' palette slots");
  if (!stored) return stored;
  return palette_.run({.poses = slots.records, .interpolate = between});
}

Result<void> PaletteSkinner::draw(const DrawPass& pass) const {
  ShaderVariant variant;
  variant.pose = ShaderPose::Palette;
  variant.influences = influences_;
  variant.foldWorld = !shared_;
  variant.paletteTargets = palette_.fill() == PaletteFill::Fragment;
  variant.pass = pass.kind;
  auto found = input_.shaders.program(requestFor(variant));
  if (!found) return tl::unexpected(found.error());
  const Program& program = **found;
  program.use();
  palette_.bind(program);
  if (shared_) slots_.bind(unit::kSlots);
  drawActors(program, vertexArray_, input_.character, input_.actors, pass);
  return {};
}

int PaletteSkinner::fetchesPerVertex() const {
  return kPaletteFetches * influences_ + (shared_ ? 1 : 0);
}

std::size_t PaletteSkinner::uploadedBytes() const {
  return palette_.uploadedBytes() + (shared_ ? slots_.sizeBytes() : 0);
}

}  // namespace ck::render

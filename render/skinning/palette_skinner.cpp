#include "render/skinning/palette_skinner.h"

#include <algorithm>

namespace ck::render {

Result<void> drawPalette(const SkinnerInput& input, const GlHandle& vertexArray,
                         const PalettePass& palette, const BufferTexture* slots, int influences,
                         const DrawPass& pass) {
  ShaderVariant variant;
  variant.pose = ShaderPose::Palette;
  variant.influences = influences;
  variant.foldWorld = slots == nullptr;
  variant.paletteTargets = palette.fill() == PaletteFill::Fragment;
  variant.pass = pass.kind;
  auto found = input.shaders.program(requestFor(variant));
  if (!found) return tl::unexpected(found.error());
  const Program& program = **found;
  program.use();
  palette.bind(program);
  if (slots != nullptr) slots->bind(unit::kSlots);
  drawActors(program, vertexArray, input.character, input.actors, pass);
  return {};
}

PaletteSkinner::PaletteSkinner(const SkinnerInput& input)
    : input_(input),
      vertexArray_(makeActorVertexArray(input.character, &input.actors)),
      palette_(paletteFillFor(input.facts), static_cast<int>(input.atlas->atlas->joints.size()),
               input.shaders) {}

Result<void> PaletteSkinner::uploadParents() {
  if (parents_.sizeBytes() > 0) return {};
  std::vector<std::int32_t> parents;
  for (const AtlasJoint& joint : input_.atlas->atlas->joints) parents.push_back(joint.parent);
  return parents_.upload(std::as_bytes(std::span(parents)), BufferUse::Static,
                         "the joints' parents");
}

PaletteSource PaletteSkinner::sourceFor(std::span<const gpu::CkActor> poses,
                                        bool interpolate) const {
  PaletteSource source;
  const bool fades = std::any_of(poses.begin(), poses.end(), showsTwoClips);
  source.defines = {{"CK_LIVE", "0"},
                    {"CK_INTERPOLATE", interpolate ? "1" : "0"},
                    {"CK_FADE", fades ? "1" : "0"}};
  define(decodeOf(*input_.atlas), source.defines);
  source.bind = [this](const Program& program) {
    bindAtlas(program, *input_.atlas, Sampling::Nearest);
    parents_.bind(unit::kParents);
  };
  return source;
}

Result<void> PaletteSkinner::update(const SkinningTick& tick) {
  influences_ = tick.influences;
  if (auto known = uploadParents(); !known) return known;
  const bool between = isBetweenFrames(tick.sampling);
  const PaletteSlots slots = sharedSlots(tick.records, tick.poseSteps, between);
  shared_ = slots.records.size() * 2 <= tick.records.size();
  if (!shared_) {
    return palette_.run({tick.records, true}, sourceFor(tick.records, between));
  }
  auto stored = slots_.upload(std::as_bytes(std::span(slots.slotOf)), BufferUse::Stream,
                              "the actors' palette slots");
  if (!stored) return stored;
  return palette_.run({slots.records, false}, sourceFor(slots.records, between));
}

Result<void> PaletteSkinner::draw(const DrawPass& pass) const {
  return drawPalette(input_, vertexArray_, palette_, shared_ ? &slots_ : nullptr, influences_,
                     pass);
}

int PaletteSkinner::fetchesPerVertex() const {
  return kPaletteFetches * influences_ + (shared_ ? 1 : 0);
}

std::size_t PaletteSkinner::uploadedBytes() const {
  return palette_.uploadedBytes() + (shared_ ? slots_.sizeBytes() : 0);
}

}  // namespace ck::render

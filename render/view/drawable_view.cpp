#include "render/view/drawable_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "render/methods/palette/palette_read.h"
#include "render/skinning/method_offers.h"

namespace ck::render {
namespace {

// The first refusal of an atlas, behind the character's name where there are several.
template <class Why>
std::string firstRefusal(std::span<const CharacterEntry> characters, Why&& why) {
  for (const CharacterEntry& entry : characters) {
    if (entry.atlas == nullptr) continue;
    const std::string refusal = why(*entry.atlas);
    if (refusal.empty()) continue;
    const bool named = characters.size() > 1 && entry.character != nullptr;
    return named ? fmt::format("{}: {}", entry.character->name, refusal) : refusal;
  }
  return {};
}

// Whether the mode draws as the method does, be it beside something else.
bool drawsByMethod(ViewMode mode) {
  return mode != ViewMode::Source && mode != ViewMode::Error && mode != ViewMode::Blends;
}

// Whether vertex shaders may read a palette. Blends show the method palette beside another one.
bool readsPalette(const PoseSettings& pose) {
  if (pose.viewMode == ViewMode::Blends) return true;
  if (!drawsByMethod(pose.viewMode)) return false;
  const MethodOptions obeys = methodInfo(pose.method).obeys;
  return obeys.paletteRead && !(obeys.skinOn && pose.skinOn == SkinOn::Cpu);
}

void fallBack(PoseSettings& pose, std::span<const CharacterEntry> characters, bool fading,
              DrawableView& drawable) {
  const auto note = [&drawable](const std::string& sentence) {
    drawable.notes.push_back({Note::Level::Warning, "ViewNotDrawn", sentence});
  };
  if (pose.viewMode == ViewMode::Blends) {
    // Its right half reads each joint by itself.
    const std::string refusal = whyNotDrawn(Method::Atlas, characters);
    if (!refusal.empty()) {
      note(fmt::format("the view's mode {} is left for {}: {}", viewModeName(ViewMode::Blends),
                       viewModeName(ViewMode::Baked), refusal));
      pose.viewMode = ViewMode::Baked;
    }
  }
  drawable.methodRefusal = whyNotDrawn(pose.method, characters);
  if (!drawable.methodRefusal.empty()) {
    note(fmt::format("the view's method is left for palette: {}", drawable.methodRefusal));
    pose.method = Method::Palette;
  }
  drawable.samplingRefusal = whyNotSampled(pose, characters, fading);
  if (!drawable.samplingRefusal.empty()) {
    note(fmt::format("the view asks to read the atlas {}: {}; it is read as baked",
                     samplingName(pose.sampling), drawable.samplingRefusal));
    pose.sampling = Sampling::AsBaked;
  }
}

}  // namespace

std::string whyNotDrawn(Method method, std::span<const CharacterEntry> characters) {
  return firstRefusal(characters, [method](const Atlas& atlas) {
    return whyNotDrawn(method, encodingOf(atlas.recipe));
  });
}

std::string whyNotSampled(const PoseSettings& pose, std::span<const CharacterEntry> characters,
                          bool fading) {
  std::string why = whyNotSampled(pose.method, pose.sampling);
  if (!why.empty() || methodInfo(pose.method).reads != VertexReads::Atlas) return why;
  const AtlasVariant variant{.sampling = pose.sampling, .blend = fading};
  return firstRefusal(characters,
                      [&variant](const Atlas& atlas) { return whyNotSampled(atlas, variant); });
}

DrawableView renderSettingsFor(const ViewSettings& view, std::span<const CharacterEntry> characters,
                               bool fading, const ContextFacts& facts) {
  DrawableView drawable{.settings = {.view = view}};
  PoseSettings& pose = drawable.settings.view.pose;
  const bool anyAtlas =
      std::any_of(characters.begin(), characters.end(),
                  [](const CharacterEntry& entry) { return entry.atlas != nullptr; });
  if (!anyAtlas) pose.viewMode = ViewMode::Source;
  if (!drawsByMethod(pose.viewMode)) pose.updateEvery = 1;
  const bool source = pose.viewMode == ViewMode::Source;
  // Where the method is live, the source obeys its masks as well.
  if (source && !methodInfo(pose.method).posesClips) pose.method = Method::Cpu;
  if (source || methodInfo(pose.method).posesClips) pose.sampling = Sampling::AsBaked;
  if (!source) fallBack(pose, characters, fading, drawable);
  const std::string unread = whyNotRead(pose.paletteRead, facts);
  if (!unread.empty()) {
    pose.paletteRead = PaletteRead::TextureBuffer;
    if (readsPalette(pose)) {
      drawable.notes.push_back({Note::Level::Info, "OptionUnused",
                                fmt::format("palettes are read through a texture: {}", unread)});
    }
  }
  return drawable;
}

bool hasDetail(const RenderSettings& settings, std::span<const CharacterEntry> characters) {
  return settings.view.detail.mode == DetailMode::Auto && settings.reference == nullptr &&
         (settings.view.pose.viewMode == ViewMode::Baked ||
          settings.view.pose.viewMode == ViewMode::Source) &&
         std::ranges::all_of(characters, [](const CharacterEntry& entry) {
           return entry.character == nullptr || entry.atlas != nullptr;
         });
}

PoseSettings settledFor(PoseSettings pose, const Atlas* atlas) {
  if (pose.influences == 0) pose.influences = atlas != nullptr ? atlas->recipe.influences : 4;
  if (pose.sampling == Sampling::AsBaked) {
    pose.sampling = samplingFor(atlas == nullptr || atlas->recipe.interpolate);
  }
  return pose;
}

}  // namespace ck::render

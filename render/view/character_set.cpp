#include "render/view/character_set.h"

#include <fmt/format.h>

namespace ck::render {

Result<void> checkFit(const Character& character, const Atlas& atlas) {
  const std::size_t joints = character.rig.skinJoints.size();
  if (atlas.joints.size() == joints && !atlas.clips.empty()) return {};
  return fail(ErrorCode::InvalidInput,
              fmt::format("the atlas has {} joints and {} clips, and {} has {} joints; bake it "
                          "again",
                          atlas.joints.size(), atlas.clips.size(), character.name, joints));
}

// Uploads of earlier entries in the list, or of the previous entries, are reused.
Result<std::unique_ptr<CharacterRenderer>> CharacterSet::makeRenderer(
    const CharacterEntry& entry, const Renderers& newer) const {
  if (entry.character == nullptr) return std::unique_ptr<CharacterRenderer>();
  if (entry.atlas != nullptr) {
    if (auto fits = checkFit(*entry.character, *entry.atlas); !fits) {
      return tl::unexpected(fits.error());
    }
  }
  std::shared_ptr<CharacterGpu> character;
  std::shared_ptr<AtlasGpu> atlas;
  for (const Renderers* list : {&newer, &renderers_}) {
    for (const std::unique_ptr<CharacterRenderer>& one : *list) {
      if (!one) continue;
      if (!character && one->character()->character == entry.character)
        character = one->character();
      if (!atlas && one->atlas() && one->atlas()->atlas == entry.atlas) atlas = one->atlas();
    }
  }
  if (!character) {
    auto made = uploadCharacter(entry.character);
    if (!made) return tl::unexpected(made.error());
    character = std::make_shared<CharacterGpu>(std::move(*made));
  }
  if (!atlas && entry.atlas != nullptr) {
    auto made = uploadAtlas(entry.atlas);
    if (!made) return tl::unexpected(made.error());
    atlas = std::make_shared<AtlasGpu>(std::move(*made));
  }
  return CharacterRenderer::make(std::move(character), std::move(atlas), entry.hiddenMeshes,
                                 {shaders_, facts_, *skinned_});
}

Result<void> CharacterSet::set(std::span<const CharacterEntry> entries) {
  // Created here, because it needs a current context.
  if (!skinned_) {
    skinned_ = std::make_unique<SkinnedStore>(SkinnedStore::limitsOf(facts_, skinnedPageVertices_));
  }
  // Entries that have not changed keep their renderers with their skinners.
  const auto stays = [&](std::size_t i) {
    return i < entries_.size() && entries_[i] == entries[i];
  };
  Renderers made(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (stays(i)) continue;
    auto characterRenderer = makeRenderer(entries[i], made);
    if (!characterRenderer) return tl::unexpected(characterRenderer.error());
    made[i] = std::move(*characterRenderer);
  }
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (stays(i)) made[i] = std::move(renderers_[i]);
  }
  entries_.assign(entries.begin(), entries.end());
  renderers_ = std::move(made);
  return {};
}

}  // namespace ck::render

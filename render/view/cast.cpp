#include "render/view/cast.h"

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

// Uploads of the previous entries, or of earlier entries in the list, are reused.
Result<std::shared_ptr<CharacterGpu>> Cast::uploaded(const CharacterPtr& character,
                                                     const Troupes& newer) const {
  for (const Troupes* list : {&newer, &renderers_}) {
    for (const std::unique_ptr<CharacterRenderer>& characterRenderer : *list) {
      if (characterRenderer && characterRenderer->character()->character == character)
        return characterRenderer->character();
    }
  }
  auto made = uploadCharacter(character);
  if (!made) return tl::unexpected(made.error());
  return std::make_shared<CharacterGpu>(std::move(*made));
}

Result<std::shared_ptr<AtlasGpu>> Cast::uploaded(const AtlasPtr& atlas,
                                                 const Troupes& newer) const {
  if (atlas == nullptr) return std::shared_ptr<AtlasGpu>();
  for (const Troupes* list : {&newer, &renderers_}) {
    for (const std::unique_ptr<CharacterRenderer>& characterRenderer : *list) {
      if (characterRenderer && characterRenderer->atlas() &&
          characterRenderer->atlas()->atlas == atlas)
        return characterRenderer->atlas();
    }
  }
  auto made = uploadAtlas(atlas);
  if (!made) return tl::unexpected(made.error());
  return std::make_shared<AtlasGpu>(std::move(*made));
}

Result<std::unique_ptr<CharacterRenderer>> Cast::makeTroupe(const CharacterEntry& entry,
                                                            const Troupes& newer) const {
  if (entry.character == nullptr) return std::unique_ptr<CharacterRenderer>();
  if (entry.atlas != nullptr) {
    if (auto fits = checkFit(*entry.character, *entry.atlas); !fits) {
      return tl::unexpected(fits.error());
    }
  }
  auto character = uploaded(entry.character, newer);
  if (!character) return tl::unexpected(character.error());
  auto atlas = uploaded(entry.atlas, newer);
  if (!atlas) return tl::unexpected(atlas.error());
  return CharacterRenderer::make(std::move(*character), std::move(*atlas), entry.hiddenMeshes,
                                 {shaders_, facts_, *skinned_});
}

Result<void> Cast::set(std::span<const CharacterEntry> entries) {
  // Created here, because it needs a current context.
  if (!skinned_) {
    skinned_ = std::make_unique<SkinnedStore>(SkinnedStore::limitsOf(facts_, skinnedPageVertices_));
  }
  // Entries that have not changed keep their renderers with their skinners.
  const auto stays = [&](std::size_t i) {
    return i < entries_.size() && entries_[i] == entries[i];
  };
  Troupes made(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (stays(i)) continue;
    auto characterRenderer = makeTroupe(entries[i], made);
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

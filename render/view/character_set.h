#pragma once

#include <memory>
#include <span>
#include <vector>

#include "render/view/character_entry.h"
#include "render/view/character_renderer.h"

namespace ck::render {

// The characters of a renderer, each uploaded once.
class CharacterSet {
 public:
  // Both must outlive it. `skinnedPageVertices` as of CrowdRenderer::make().
  CharacterSet(ShaderLibrary& shaders, const ContextFacts& facts, std::size_t skinnedPageVertices)
      : shaders_(shaders), facts_(facts), skinnedPageVertices_(skinnedPageVertices) {}

  // Sets the characters. Entries with the same character or atlas share uploads, and existing
  // uploads are kept. Fails with LimitExceeded (texture size, memory) and InvalidInput (an atlas
  // that does not fit its character); the old characters are then kept.
  Result<void> set(std::span<const CharacterEntry> entries);

  const std::vector<CharacterEntry>& entries() const { return entries_; }
  // One per entry; null if it has no character.
  std::span<const std::unique_ptr<CharacterRenderer>> characterRenderers() const {
    return renderers_;
  }

 private:
  using Renderers = std::vector<std::unique_ptr<CharacterRenderer>>;

  Result<std::unique_ptr<CharacterRenderer>> makeRenderer(const CharacterEntry& entry,
                                                          const Renderers& newer) const;

  ShaderLibrary& shaders_;
  const ContextFacts& facts_;
  std::size_t skinnedPageVertices_;
  // Declared before the character renderers, which hold leases of it.
  std::unique_ptr<SkinnedStore> skinned_;
  std::vector<CharacterEntry> entries_;
  Renderers renderers_;
};

// Fails with InvalidInput if an atlas does not belong to this character.
Result<void> checkFit(const Character& character, const Atlas& atlas);

}  // namespace ck::render

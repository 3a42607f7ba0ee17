#pragma once

#include <memory>
#include <span>
#include <vector>

#include "render/view/cast_entry.h"
#include "render/view/character_renderer.h"

namespace ck::render {

// The characters that can be drawn, uploaded once each.
class Cast {
 public:
  // Both must outlive it. `skinnedPageVertices` as of CrowdRenderer::make().
  Cast(ShaderLibrary& shaders, const ContextFacts& facts, std::size_t skinnedPageVertices)
      : shaders_(shaders), facts_(facts), skinnedPageVertices_(skinnedPageVertices) {}

  // Entries with the same character or atlas share what is uploaded; what is uploaded already
  // stays. Fails with LimitExceeded (texture size, memory) and InvalidInput (an atlas that does not
  // fit its character); the old cast stays then.
  Result<void> set(std::span<const CastEntry> entries);

  const std::vector<CastEntry>& entries() const { return entries_; }
  // One per entry; null where it has no character.
  std::span<const std::unique_ptr<CharacterRenderer>> characterRenderers() const {
    return renderers_;
  }

 private:
  using Troupes = std::vector<std::unique_ptr<CharacterRenderer>>;

  Result<std::unique_ptr<CharacterRenderer>> makeTroupe(const CastEntry& entry,
                                                        const Troupes& newer) const;
  Result<std::shared_ptr<CharacterGpu>> uploaded(const CharacterPtr& character,
                                                 const Troupes& newer) const;
  Result<std::shared_ptr<AtlasGpu>> uploaded(const AtlasPtr& atlas, const Troupes& newer) const;

  ShaderLibrary& shaders_;
  const ContextFacts& facts_;
  std::size_t skinnedPageVertices_;
  std::unique_ptr<SkinnedStore> skinned_;  // before the character renderers, which lease room in it
  std::vector<CastEntry> entries_;
  Troupes renderers_;
};

// Fails with InvalidInput where an atlas is not of this character.
Result<void> checkFit(const Character& character, const Atlas& atlas);

}  // namespace ck::render

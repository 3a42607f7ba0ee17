#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/crowd/actor_choice.h"
#include "render/view/playing.h"

namespace ck::render {

// The input of a tick of one character's actors, as of CharacterRenderer::tick().
struct PieceTick {
  const Crowd& crowd;
  const CrowdRecords& uploaded;
  ActorChoice chosen;
  const RenderSettings& settings;
  std::span<const std::uint32_t> selected;
  int selectedActor = -1;
  std::optional<glm::vec3> eye;
  std::optional<int> paint;     // CharacterRenderer::paint()
  std::uint32_t character = 0;  // index of the character
  bool mayDivide = true;        // off for read-backs, which expect one renderer
};

// Draws more actors than a method can hold at once: in pieces, each with a renderer of its own that
// shares the uploads. Pieces that the memory of skinned vertices does not hold are skinned by the
// graphics driver as they are drawn (method palette).
class ActorPieces {
 public:
  // Pieces are not divided further below this number of actors.
  static constexpr std::size_t kFewest = 256;

  // Ticks the actors with `first` and as many further renderers as are needed, and adds them to
  // `drawn`. Fails as CharacterRenderer::tick() does where pieces do not help.
  Result<void> tick(CharacterRenderer& first, const PieceTick& tick, std::vector<Playing>& drawn);

 private:
  struct Piece {
    std::unique_ptr<CharacterRenderer> renderer;
    std::vector<std::uint32_t> actors;
    std::vector<ActorShare> shares;
    std::uint64_t stamp = 0;
    bool isUnkept = false;  // the memory did not hold its vertices
  };
  void divide(CharacterRenderer& first, const PieceTick& tick);
  Result<void> tickPiece(CharacterRenderer& renderer, const ActorChoice& chosen,
                         const PieceTick& tick, bool* isUnkept, std::vector<Playing>& drawn) const;

  std::size_t count_ = 1;
  PoseSettings pose_ = {};           // that count_ was found for
  std::size_t dividedActors_ = 0;    // how many were divided into pieces_
  std::uint64_t dividedChoice_ = 0;  // and their stamp
  std::vector<Piece> pieces_;        // without a renderer: the first one
};

}  // namespace ck::render

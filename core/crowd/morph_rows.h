#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/crowd/crowd.h"
#include "core/morph/morph_set.h"

namespace ck {

// What the actors of a crowd show of a character's shapes, ready to be read by the frame numbers of
// their records: nothing in here changes while the crowd plays. A row is a list of weights less
// their defaults, one per column, padded with 0 to whole texels of four; only shapes that some
// actor may show other than by default have a column.
//
// row = mix(A, B, blend), A and B each mix(frame, frame + 1, alpha); then columns of which the
// actor has a weight of its own take that. shaders/morph/weights.vert says the same.
class MorphRows {
 public:
  MorphRows() = default;
  // `atlas` may be null; its frames are those that the crowd's records name.
  MorphRows(const MorphSet& set, const Atlas* atlas, const Crowd& crowd);

  // Reads another crowd, with the set and the atlas that were given, whose frames stay where they
  // have the same columns: a crowd that is only seeked. Returns whether they stay.
  bool readAgain(const MorphSet& set, const Atlas* atlas, const Crowd& crowd);

  // Columns: shapes of the set. Those that frames know come first.
  const std::vector<int>& morphs() const { return morphs_; }
  int texels() const { return static_cast<int>(morphs_.size() + 3) / 4; }  // of a row

  // What is baked: rows of frameTexels() texels each, one per frame of the atlas.
  std::span<const glm::vec4> frames() const { return frames_; }
  int frameTexels() const { return frameTexels_; }

  // Weights of their own: column, weight - default; and those of a visible actor as first, count.
  std::span<const glm::vec4> own() const { return own_; }
  glm::ivec2 ownOf(std::size_t visible) const { return ownOf_[visible]; }

  // Whether what the actor shows may differ from the defaults at this moment.
  bool moves(const gpu::CkActor& record, std::size_t visible) const;

  // The actor's row: 4 * texels() numbers.
  void read(const gpu::CkActor& record, std::size_t visible, std::span<float> row) const;

 private:
  void chooseColumns(const MorphSet& set, const Atlas* atlas, const Crowd& crowd);
  void readFrames(const MorphSet& set, const Atlas& atlas);
  void readOwn(const MorphSet& set, const Crowd& crowd);
  int columnOf(int morph) const;
  bool frameMoves(int frame) const;
  glm::vec4 frameAt(int frame, int texel, float alpha) const;

  std::vector<int> morphs_;
  int frameTexels_ = 0;
  int frameCount_ = 0;
  std::vector<glm::vec4> frames_;
  std::vector<char> moves_;  // per frame: whether any number of its row or the next one's is not 0
  std::vector<glm::vec4> own_;
  std::vector<glm::ivec2> ownOf_;
};

}  // namespace ck

#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/crowd/crowd.h"
#include "core/morph/morph_set.h"

namespace ck {

// The morph weights of a crowd's actors, addressed by the frame numbers of their records. The data
// is constant while the crowd plays. A row holds weights minus their defaults, one per column,
// padded with 0 to whole texels of four. Only morphs that some actor may show with another weight
// than the default have a column.
//
// An actor's row is mix(A, B, blend), where A and B are mix(frame, frame + 1, alpha). The actor's
// own weights then replace their columns. shaders/morph/weights.vert computes the same.
class MorphRows {
 public:
  MorphRows() = default;
  // `atlas` may be null. The crowd's records must refer to the atlas's frames.
  MorphRows(const MorphSet& set, const Atlas* atlas, const Crowd& crowd);

  // Reads another crowd with the same set and atlas. Returns true if the columns are unchanged;
  // frames() is then unchanged as well. This is the case for a crowd that was only seeked.
  bool readAgain(const MorphSet& set, const Atlas* atlas, const Crowd& crowd);

  // The columns, as indices of morphs in the set. Baked morphs come first.
  const std::vector<int>& morphs() const { return morphs_; }
  int texels() const { return static_cast<int>(morphs_.size() + 3) / 4; }  // texels per row

  // The baked rows: frameTexels() texels per frame of the atlas.
  std::span<const glm::vec4> frames() const { return frames_; }
  int frameTexels() const { return frameTexels_; }

  // The actors' own weights as (column, weight - default), and each visible actor's range in them
  // as (first, count).
  std::span<const glm::vec4> own() const { return own_; }
  glm::ivec2 ownOf(std::size_t visible) const { return ownOf_[visible]; }

  // Whether the actor's weights may differ from the defaults now.
  bool moves(const gpu::CkActor& record, std::size_t visible) const;

  // Writes the actor's row: 4 * texels() numbers.
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
  std::vector<char> moves_;  // per frame: whether its row or the next one has a non-zero entry
  std::vector<glm::vec4> own_;
  std::vector<glm::ivec2> ownOf_;
};

}  // namespace ck

#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/morph/difference_set.h"
#include "core/skinning/fast_skinning.h"

namespace ck {

// A morph of a difference set, with the weight that is added to the default weights.
struct ShownShape {
  int morph = 0;  // into DifferenceSet::morphs
  float weight = 0.0f;
};

// Skins those vertices of a pose again that morphs move; FastSkin skins them without morphs first.
// The morphed vertices of a face are few and mostly follow the head joint alone, so eight vertices
// of one actor are processed at once with one matrix.
class ShapeSkin {
 public:
  // `bind` has the vertex of every place of `set`, with default morph weights. `influences` is as
  // in FastSkin. Neither argument is needed afterwards.
  ShapeSkin(const DifferenceSet& set, std::span<const BindVertex> bind, int influences);

  // Writes the entries DifferenceSet::vertices of `pose.vertices`. May be called from several
  // threads at once.
  void skin(std::span<const ShownShape> shown, const SkinPose& pose) const;

 private:
  static constexpr std::size_t kLanes = 8;
  // Position x, y, z, unused, normal x, y, z, unused.
  struct alignas(32) Point {
    float at[kLanes] = {};
  };
  // Eight points that are processed together.
  struct Block {
    std::array<std::uint32_t, kLanes> vertices = {};
    std::size_t count = 0;
    bool alike = false;  // whether all points have the same influences
  };
  struct Entries {
    std::vector<std::uint32_t> points;
    std::vector<Point> moves;
  };
  struct Moved;

  void addBlock(std::span<const std::size_t> places, const DifferenceSet& set,
                std::span<const BindVertex> bind);
  static void addMoves(const Entries& entries, float weight, Moved& moved);
  void skinBlocks(const Moved& moved, const SkinPose& pose) const;

  int influences_;
  std::vector<Block> blocks_;
  std::vector<Point> rest_;        // eight per block
  std::vector<VertexPull> pulls_;  // eight per block
  std::vector<Entries> entries_;   // one per morph
};

}  // namespace ck

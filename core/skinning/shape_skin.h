#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/morph/difference_set.h"
#include "core/skinning/fast_skinning.h"

namespace ck {

// A shape of a difference set and how much of it is shown on top of the vertices at rest.
struct ShownShape {
  int morph = 0;  // into DifferenceSet::morphs
  float weight = 0.0f;
};

// Skins those vertices of a pose anew that shapes move, where FastSkin has skinned them without
// any: a face is few vertices, most of them pulled on by the head alone, so that eight vertices of
// one actor go side by side through one matrix.
class ShapeSkin {
 public:
  // `bind` has the vertex of every place of `set`, with the shapes' defaults; `influences` as in
  // FastSkin. Neither is needed afterwards.
  ShapeSkin(const DifferenceSet& set, std::span<const BindVertex> bind, int influences);

  // Writes into `pose.vertices`, at DifferenceSet::vertices. From any number of threads at once.
  void skin(std::span<const ShownShape> shown, const SkinPose& pose) const;

 private:
  static constexpr std::size_t kLanes = 8;
  // Position x, y, z, nothing, normal x, y, z, nothing.
  struct alignas(32) Point {
    float at[kLanes] = {};
  };
  // Influences of one vertex, weights of sum 1.
  struct Pull {
    std::array<std::uint32_t, 4> joints = {};
    std::array<float, 4> weights = {};
    int count = 0;
    bool operator==(const Pull&) const = default;
  };
  // Eight points side by side that are written together.
  struct Block {
    std::array<std::uint32_t, kLanes> vertices = {};
    std::size_t count = 0;
    bool alike = false;  // whether all have the first one's influences
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
  std::vector<Point> rest_;       // eight a block
  std::vector<Pull> pulls_;       // the same
  std::vector<Entries> entries_;  // of every shape
};

}  // namespace ck

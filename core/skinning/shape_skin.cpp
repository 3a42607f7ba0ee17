#include "core/skinning/shape_skin.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "core/base/assert.h"
#include "core/base/lanes.h"

namespace ck {
namespace {

using namespace lanes;

// The columns of a matrix (low halves) and of its cofactor matrix (high halves), with the
// translation. They transform a position and a normal at once.
struct Columns {
  F8 at[4];
};

// The last lane is undefined.
CK_LANES_INLINE F4 crossed(const F4& a, const F4& b) {
  const F4 aTurned = __builtin_shufflevector(a, a, 1, 2, 0, 3);
  const F4 bTurned = __builtin_shufflevector(b, b, 1, 2, 0, 3);
  const F4 c = a * bTurned - aTurned * b;
  return __builtin_shufflevector(c, c, 1, 2, 0, 3);
}

CK_LANES_INLINE Columns columnsOf(const F4 (&rows)[3]) {
  const F4 nothing = {};
  Columns columns = {{joined(rows[0], crossed(rows[1], rows[2])),
                      joined(rows[1], crossed(rows[2], rows[0])),
                      joined(rows[2], crossed(rows[0], rows[1])), joined(nothing, nothing)}};
  transpose(columns.at);
  // crossed() leaves the fourth column of the cofactor matrix undefined.
  columns.at[3] = __builtin_shufflevector(columns.at[3], F8{}, 0, 1, 2, 3, 8, 9, 10, 11);
  return columns;
}

// The matrix of a vertex. A vertex without influences goes to the pose's place and keeps its
// normal.
CK_LANES_INLINE Columns columnsFor(const VertexPull& pull, const SkinPose& pose) {
  if (pull.count == 0) {
    const glm::vec3& at = pose.place;
    return {{F8{0, 0, 0, 0, 1, 0, 0, 0}, F8{0, 0, 0, 0, 0, 1, 0, 0}, F8{0, 0, 0, 0, 0, 0, 1, 0},
             F8{at.x, at.y, at.z, 0, 0, 0, 0, 0}}};
  }
  F4 rows[3] = {};
  for (std::size_t i = 0; i < pull.count; ++i) {
    const glm::vec4* joint = &pose.rows[std::size_t{pull.joints[i]} * 3];
    for (int row = 0; row < 3; ++row) rows[row] += load<F4>(&joint[row]) * pull.weights[i];
  }
  return columnsOf(rows);
}

// Adds the move of a morph to the sum of all morphs.
CK_LANES_INLINE void addTo(float* sum, const float* move, float weight) {
  store(sum, load<F8>(sum) + load<F8>(move) * weight);
}

// The point at rest and what morphs add to it, moved by the joints.
CK_LANES_INLINE void movePoint(const Columns& columns, const float* rest, const float* added,
                               F8& result) {
  const F8 point = load<F8>(rest) + load<F8>(added);
  result = columns.at[0] * __builtin_shufflevector(point, point, 0, 0, 0, 0, 4, 4, 4, 4) +
           columns.at[1] * __builtin_shufflevector(point, point, 1, 1, 1, 1, 5, 5, 5, 5) +
           columns.at[2] * __builtin_shufflevector(point, point, 2, 2, 2, 2, 6, 6, 6, 6) +
           columns.at[3];
}

// Packs the normals of eight points (high halves) into the last lanes of the low halves.
CK_LANES_INLINE void pack(F8 (&first)[4], F8 (&second)[4]) {
  transpose(first);
  transpose(second);
  const F8 normals = packedNormals(highHalves(first[0], second[0]), highHalves(first[1], second[1]),
                                   highHalves(first[2], second[2]));
  first[3] = normals;
  second[3] = __builtin_shufflevector(normals, normals, 4, 5, 6, 7, 4, 5, 6, 7);
  transpose(first);
  transpose(second);
}

}  // namespace

// The sums of all morphs for the points; 0 except in the touched blocks.
struct ShapeSkin::Moved {
  std::vector<Point> points;
  std::vector<char> touched;          // one per block
  std::vector<std::uint32_t> blocks;  // indices of the touched blocks

  void clear() {
    for (const std::uint32_t block : blocks) {
      std::fill_n(points.begin() + static_cast<std::ptrdiff_t>(block * kLanes), kLanes, Point{});
      touched[block] = 0;
    }
    blocks.clear();
  }
};

ShapeSkin::ShapeSkin(const DifferenceSet& set, std::span<const BindVertex> bind, int influences)
    : influences_(influences) {
  CK_ASSERT(bind.size() == set.vertices.size());
  // Vertices with one influence come first, sorted by joint.
  std::vector<std::size_t> places(bind.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  const auto rank = [&](std::size_t place) {
    const BindVertex& vertex = bind[place];
    const bool rigid = vertex.weights[0] > 0.0f && (influences == 1 || vertex.weights[1] <= 0.0f);
    return rigid ? std::size_t{vertex.skinJoints[0]} : ~std::size_t{0};
  };
  std::sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) {
    return std::tuple(rank(a), a) < std::tuple(rank(b), b);
  });
  std::vector<std::uint32_t> pointOf(places.size());
  for (std::size_t first = 0; first < places.size();) {
    std::size_t end = first;
    while (end < places.size() && end - first < kLanes &&
           rank(places[end]) == rank(places[first])) {
      pointOf[places[end]] = static_cast<std::uint32_t>(blocks_.size() * kLanes + end - first);
      ++end;
    }
    addBlock(std::span(places).subspan(first, end - first), set, bind);
    first = end;
  }
  for (const DifferenceMesh& morph : set.morphs) {
    Entries entries;
    for (std::size_t i = 0; i < morph.places.size(); ++i) {
      entries.points.push_back(pointOf[morph.places[i]]);
      const glm::vec3& p = morph.positions[i];
      const glm::vec3& n = morph.normals[i];
      entries.moves.push_back({{p.x, p.y, p.z, 0.0f, n.x, n.y, n.z, 0.0f}});
    }
    entries_.push_back(std::move(entries));
  }
}

void ShapeSkin::addBlock(std::span<const std::size_t> places, const DifferenceSet& set,
                         std::span<const BindVertex> bind) {
  Block block;
  block.count = places.size();
  for (std::size_t i = 0; i < kLanes; ++i) {
    const std::size_t place = places[std::min(i, places.size() - 1)];
    const BindVertex& vertex = bind[place];
    const glm::vec3& p = vertex.position;
    const glm::vec3& n = vertex.normal;
    block.vertices[i] = set.vertices[place];
    rest_.push_back({{p.x, p.y, p.z, 0.0f, n.x, n.y, n.z, 0.0f}});
    pulls_.push_back(renormalised(heaviest(vertex, influences_)));
  }
  const std::size_t first = blocks_.size() * kLanes;
  block.alike = std::all_of(pulls_.begin() + static_cast<std::ptrdiff_t>(first), pulls_.end(),
                            [&](const VertexPull& pull) { return pull == pulls_[first]; });
  blocks_.push_back(block);
}

CK_LANES_CLONES
void ShapeSkin::addMoves(const Entries& entries, float weight, Moved& moved) {
  for (std::size_t i = 0; i < entries.points.size(); ++i) {
    const std::uint32_t point = entries.points[i];
    addTo(moved.points[point].at, entries.moves[i].at, weight);
    const std::uint32_t block = point / kLanes;
    if (moved.touched[block] != 0) continue;
    moved.touched[block] = 1;
    moved.blocks.push_back(block);
  }
}

CK_LANES_CLONES
void ShapeSkin::skinBlocks(const Moved& added, const SkinPose& pose) const {
  for (const std::uint32_t index : added.blocks) {
    const Block& block = blocks_[index];
    const std::size_t first = index * kLanes;
    F8 halves[2][4];
    Columns columns = columnsFor(pulls_[first], pose);
    for (std::size_t k = 0; k < kLanes; ++k) {
      if (!block.alike && k > 0) columns = columnsFor(pulls_[first + k], pose);
      movePoint(columns, rest_[first + k].at, added.points[first + k].at, halves[k / 4][k % 4]);
    }
    pack(halves[0], halves[1]);
    for (std::size_t k = 0; k < block.count; ++k) {
      store(&pose.vertices[block.vertices[k]], lowHalf(halves[k / 4][k % 4]));
    }
  }
}

void ShapeSkin::skin(std::span<const ShownShape> shown, const SkinPose& pose) const {
  thread_local Moved moved;
  if (moved.points.size() < rest_.size()) moved.points.resize(rest_.size());
  if (moved.touched.size() < blocks_.size()) moved.touched.resize(blocks_.size(), 0);
  for (const ShownShape& shape : shown) {
    addMoves(entries_[static_cast<std::size_t>(shape.morph)], shape.weight, moved);
  }
  skinBlocks(moved, pose);
  moved.clear();
}

}  // namespace ck

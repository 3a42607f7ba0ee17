#include "core/error/lane_offs.h"

#include "core/error/lane_kernels.h"

namespace ck {

using namespace lanes;

LaneOffs::LaneOffs(const ComparisonInputs& inputs, int atlasClip)
    : inputs_(inputs),
      form_(formOf(inputs.atlas)),
      frames_(inputs.atlas, atlasClip, inputs.interpolate) {
  const std::size_t joints = inputs.atlas.joints.size();
  drawn_.resize(form_ == PoseForm::Matrix ? 0 : joints);
  matrices_.resize(form_ == PoseForm::Matrix ? joints : 0);
  skins_.resize(form_ == PoseForm::Pivot ? 0 : joints);
  skinPivots_.resize(skins_.size());
  unused_.resize(skins_.size());
  offs_.resize(joints);
  reachSquares_.resize(joints * kLaneCount);
  shells_.resize(joints);
}

// The arithmetic, inlined into one function for each instruction set.
struct LaneOffs::Kernel {
  LaneOffs& own;
  std::span<const LanePose> source;
  bool morphing;

  // The rows of the skin matrix as drawn (skinMatrixOf()).
  CK_LANES_INLINE Rows skinRows(std::size_t j) const {
    const AtlasJoint& joint = own.inputs_.atlas.joints[j];
    Rows pose;
    if (own.form_ == PoseForm::Matrix) {
      for (int i = 0; i < 12; ++i)
        pose.at[i / 4][i % 4] = load<F8>(own.matrices_[j].at[i / 4][i % 4]);
    } else {
      const LaneDrawn& drawn = own.drawn_[j];
      pose =
          toRows({{load<F8>(drawn.place[0]), load<F8>(drawn.place[1]), load<F8>(drawn.place[2])},
                  readQuat(drawn.rotation),
                  {load<F8>(drawn.scale[0]), load<F8>(drawn.scale[1]), load<F8>(drawn.scale[2])}});
    }
    Rows rows = pose;
    const glm::mat4& bind = joint.inverseBind;
    for (int row = 0; row < 3; ++row) {
      const auto& m = pose.at[row];
      if (own.form_ == PoseForm::Trs) {
        for (int c = 0; c < 4; ++c) {
          rows.at[row][c] = m[0] * bind[c][0] + m[1] * bind[c][1] + m[2] * bind[c][2];
        }
        rows.at[row][3] += m[3];
      } else {
        rows.at[row][3] -= m[0] * joint.pivot.x + m[1] * joint.pivot.y + m[2] * joint.pivot.z;
      }
    }
    return rows;
  }

  // The difference of the skin matrices of a joint.
  CK_LANES_INLINE void subtract(std::size_t j) const {
    const Rows rows = skinRows(j);
    LaneOff& off = own.offs_[j];
    LanePose* skin = own.skins_.empty() ? nullptr : &own.skins_[j];
    for (int row = 0; row < 3; ++row) {
      const auto& m = rows.at[row];
      for (int c = 0; c < 4; ++c) {
        store(off.rows[row][c], load<F8>(source[j].rows[row][c]) - m[c]);
        if (skin != nullptr) store(skin->rows[row][c], m[c]);
      }
      if (skin != nullptr) store(skin->place[row], m[3]);
      if (!morphing) continue;
      for (int c = 0; c < 3; ++c) store(off.linear[row][c], m[c]);
    }
  }

  CK_LANES_INLINE F8 shellSquare(std::size_t j) const {
    const auto radius = static_cast<float>(own.inputs_.shell.radii[j]);
    const glm::vec3& pivot = own.inputs_.atlas.joints[j].pivot;
    F8 squares[3] = {};
    for (int row = 0; row < 3; ++row) {
      const auto& off = own.offs_[j].rows[row];
      const F8 moved = own.skins_.empty()
                           ? load<F8>(source[j].place[row]) - load<F8>(own.drawn_[j].place[row])
                           : load<F8>(off[0]) * pivot.x + load<F8>(off[1]) * pivot.y +
                                 load<F8>(off[2]) * pivot.z + load<F8>(off[3]);
      for (int axis = 0; axis < 3; ++axis) {
        const F8 d = moved + radius * load<F8>(off[axis]);
        squares[axis] += d * d;
      }
    }
    return larger(larger(squares[0], squares[1]), squares[2]);
  }

  // Subtracts all. False if something is not finite.
  CK_LANES_INLINE bool subtractAll() const {
    F8 sum = {};
    for (std::size_t j = 0; j < source.size(); ++j) {
      subtract(j);
      const LaneOff& off = own.offs_[j];
      const VertexModel::Box& box = own.inputs_.vertices.jointBoxes[j];
      store(own.reachSquares_.data() + j * kLaneCount,
            box.half.x < 0.0f ? F8{} : reachSquare(off.rows, box));
      if (own.inputs_.shell.hasVertices[j] != 0) store(own.shells_[j].squares, shellSquare(j));
      for (int row = 0; row < 3; ++row) {
        for (int c = 0; c < 4; ++c) sum += load<F8>(off.rows[row][c]);
      }
    }
    // Vertices are compared in float, which holds squares up to 1e38. Written so that NaN fails.
    return !anyTrue(~(magnitude(sum) < 1e15f));
  }

  CK_LANES_CLONES static bool subtractBest(const Kernel& kernel) { return kernel.subtractAll(); }
};

bool LaneOffs::draw(std::span<const double, kLaneCount> units, Reading reading,
                    std::span<const LanePose> source, bool morphing) {
  if (form_ == PoseForm::Matrix) {
    frames_.drawMatrices(units, reading, matrices_);
  } else {
    frames_.draw(units, reading, drawn_);
  }
  return Kernel::subtractBest({*this, source, morphing}) &&
         pivotsOf(skins_, skinPivots_, unused_, LanePath::Best);
}

}  // namespace ck

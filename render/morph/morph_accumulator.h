#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/morph/difference_set.h"
#include "core/morph/morph_planner.h"
#include "core/view/pose_settings.h"
#include "render/gl/buffer.h"
#include "render/gl/context.h"
#include "render/gl/framebuffer.h"
#include "render/gl/shader_library.h"

namespace ck::render {

// Why changed shapes cannot be added up so in a context, in a sentence; empty where they can.
std::string whyNotAccumulated(MorphPath path, MorphSums sums, const ContextFacts& facts);

// kLargestMorphBatch, or fewer where the context has not enough vertex attributes.
int largestMorphBatch();

// What an update did.
struct MorphWork {
  std::vector<int> changed;  // shapes, ascending
  int passes = 0;
  bool rebased = false;
};

// The bind vertices of one actor with its morph targets, kept on the GPU: positions and normals of
// the places of a difference set. Only shapes whose weight is another are touched.
class MorphAccumulator {
 public:
  // `differences` and `shaders` must outlive it. Fails with Unsupported (Compute where the context
  // has none or sums are floats, a batch out of range) and LimitExceeded.
  static Result<std::unique_ptr<MorphAccumulator>> make(const DifferenceSet& differences,
                                                        const AccumulatorSettings& settings,
                                                        ShaderLibrary& shaders,
                                                        const ContextFacts& facts);

  // Brings the sums to these weights, one per shape, finite and at most kLargestMorphWeight.
  // `jumped`: see MorphPlanner. Fails with Internal (a shader).
  Result<MorphWork> update(std::span<const float> weights, bool jumped);

  // Two texels a place, position and normal: integers in steps, or the bits of floats.
  void bind(int unit) const { shown().bind(unit); }
  MorphSums sums() const { return settings_.sums; }
  const AccumulatorSettings& settings() const { return settings_; }
  std::size_t heldBytes() const;

  // The sums as FixedSums or FloatSums have them (floats as their bits), six a place; waits.
  std::vector<std::int32_t> read() const;
  void wait() const;  // until the driver has done all that it was asked to do, for measuring

 private:
  MorphAccumulator(const DifferenceSet& differences, const AccumulatorSettings& settings,
                   ShaderLibrary& shaders);
  Result<void> uploadBase();
  Result<void> uploadDense();
  Result<void> uploadSparse();
  Result<void> runPass(std::span<const MorphChange> changes);
  Result<void> runScatter(const MorphPlan& plan);
  const BufferTexture& shown() const;
  BufferTexture& shown();

  const DifferenceSet& differences_;
  AccumulatorSettings settings_;
  ShaderLibrary& shaders_;
  MorphPlanner planner_;
  BufferTexture base_{TexelKind::Rgba32I};
  std::array<BufferTexture, 2> sums_{BufferTexture{TexelKind::Rgba32I},
                                     BufferTexture{TexelKind::Rgba32I}};
  int at_ = -1;  // which of the two is shown; -1: the base
  Buffer dense_;
  Buffer sparse_;
  Buffer changes_;
  std::vector<std::int32_t> firstEntry_;  // of every shape, and the end
  GlHandle vertexArray_;
  // A context without a window has no framebuffer to draw nothing into.
  std::optional<Target> nowhere_;
};

}  // namespace ck::render

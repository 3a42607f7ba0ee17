#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/morph/difference_set.h"
#include "core/morph/morph_sums.h"
#include "core/view/pose_settings.h"
#include "render/gl/buffer.h"
#include "render/gl/context.h"
#include "render/gl/framebuffer.h"
#include "render/gl/shader_library.h"

namespace ck::render {

// Why the context does not support this path: one sentence, or empty if it does.
std::string whyNotAccumulated(MorphPath path, MorphSums sums, const ContextFacts& facts);

// kLargestMorphBatch, or less if the context has fewer vertex attributes.
int largestMorphBatch();

// The work of an update.
struct MorphWork {
  std::vector<int> changed;  // morph indices, ascending
  int passes = 0;
  bool rebased = false;
};

// The morphed bind vertices of one actor on the GPU: positions and normals of the places of a
// difference set. An update processes only morphs whose weight has changed.
class MorphAccumulator {
 public:
  // `differences` and `shaders` must outlive it. Fails with Unsupported (Compute without support or
  // with float sums, a batch out of range) and LimitExceeded.
  static Result<std::unique_ptr<MorphAccumulator>> make(const DifferenceSet& differences,
                                                        const AccumulatorSettings& settings,
                                                        ShaderLibrary& shaders,
                                                        const ContextFacts& facts);

  // Updates the sums to these weights: one per morph, finite, at most kLargestMorphWeight. For
  // `jumped` see MorphPlanner. Fails with Internal (a shader).
  Result<MorphWork> update(std::span<const float> weights, bool jumped);

  // Binds two texels per place, position and normal: integers in steps, or bits of floats.
  void bind(int unit) const { current().bind(unit); }
  MorphSums sums() const { return settings_.sums; }
  const AccumulatorSettings& settings() const { return settings_; }
  std::size_t heldBytes() const;

  // Reads back the sums, six per place, as FixedSums or FloatSums (bits of floats) have them. Waits
  // for the GPU.
  std::vector<std::int32_t> read() const;
  void wait() const;  // waits until the driver has finished, for measurements

 private:
  MorphAccumulator(const DifferenceSet& differences, const AccumulatorSettings& settings,
                   ShaderLibrary& shaders);
  Result<void> uploadBase();
  Result<void> uploadDense();
  Result<void> uploadSparse();
  Result<void> runPass(std::span<const MorphChange> changes);
  Result<void> runScatter(const MorphPlan& plan);
  const BufferTexture& current() const;
  BufferTexture& current();

  const DifferenceSet& differences_;
  AccumulatorSettings settings_;
  ShaderLibrary& shaders_;
  MorphPlanner planner_;
  BufferTexture base_{TexelKind::Rgba32I};
  std::array<BufferTexture, 2> sums_{BufferTexture{TexelKind::Rgba32I},
                                     BufferTexture{TexelKind::Rgba32I}};
  int at_ = -1;  // index of the current buffer; -1: the base
  Buffer dense_;
  Buffer sparse_;
  Buffer changes_;
  std::vector<std::int32_t> firstEntry_;  // first entry of every morph, and the end
  GlHandle vertexArray_;
  // A context without a window has no default framebuffer, which transform feedback needs.
  std::optional<Target> nowhere_;
};

}  // namespace ck::render

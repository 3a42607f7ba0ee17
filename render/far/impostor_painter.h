#pragma once

#include <memory>
#include <span>
#include <vector>

#include "render/far/impostor_plan.h"
#include "render/skinning/skinner.h"

namespace ck::render {

// Draws the pictures of an ImpostorPlan into an array texture, a part of a sheet at a time: actors
// at the plan's moments stand side by side in front of a parallel camera, are drawn several times
// as large, and averaged. A texture has two layers per direction, both RGBA8
// (shaders/far/cell.glsl), and the plan's levels of detail.
class ImpostorPainter {
 public:
  // `texture` must have storage for all levels and, with the other references, outlive the painter.
  // Fails with LimitExceeded (memory) and as makeSkinner() does.
  static Result<std::unique_ptr<ImpostorPainter>> make(const ImpostorPlan& plan, unsigned texture,
                                                       std::vector<IndexRun> runs,
                                                       CharacterGpu& character, AtlasGpu& atlas,
                                                       ShaderLibrary& shaders,
                                                       const ContextFacts& facts);

  bool isDone() const { return done_ == order_.size(); }
  double doneShare() const {
    return (static_cast<double>(done_) + static_cast<double>(row_) / plan_.rows) /
           static_cast<double>(order_.size());
  }
  // The directions of which all pictures are drawn, numbers of ImpostorPlan::directions. The first
  // ones are far from each other, so that a few are enough for a first look.
  std::span<const std::size_t> doneDirections() const { return std::span(order_).first(done_); }

  // Draws the next rows of a sheet. Leaves another framebuffer and viewport bound, and the state of
  // resetGlState(). Fails with Internal and LimitExceeded.
  Result<void> paintNext();

 private:
  ImpostorPainter(const ImpostorPlan& plan, unsigned texture, std::vector<IndexRun> runs,
                  CharacterGpu& character, AtlasGpu& atlas, ShaderLibrary& shaders,
                  const ContextFacts& facts);
  Result<void> reserve();
  void setMapBias(float levels) const;
  int rowsNow() const;
  std::size_t directionNow() const { return order_[done_]; }
  Result<void> drawCells(int rows);
  Result<void> average(int rows);
  void sampleSource(int level) const;

  const ImpostorPlan& plan_;
  unsigned texture_;
  std::vector<IndexRun> runs_;
  ActorStream actors_;
  Crowd nobody_;  // the skinner asks for fades
  OwnedActorRecords records_;
  SkinnerInput input_;
  PoseSettings pose_;
  std::unique_ptr<Skinner> skinner_;

  int enlarged_ = 1;    // drawn pixels per pixel of a picture, on each side
  int rowsAtOnce_ = 1;  // of cells
  GlHandle color_;      // as drawn
  GlHandle form_;
  GlHandle depth_;
  GlHandle drawn_;     // framebuffer of the three
  GlHandle averaged_;  // framebuffer of the texture
  GlHandle emptyArray_;

  std::vector<std::size_t> order_;  // of directions
  std::size_t done_ = 0;            // how many of them are drawn
  int row_ = 0;                     // of the next one, which is drawn next
};

// How far the moments of a direction reach towards the eye, in pixels of their pictures: the value
// that depth 1 stands for. Depth 0 stands for its negative.
float impostorDepthPixels(const ImpostorPlan& plan, const ImpostorDirection& direction);

}  // namespace ck::render

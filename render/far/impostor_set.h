#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>

#include "render/far/far_actors.h"
#include "render/far/impostor_painter.h"
#include "render/far/impostor_plan.h"
#include "render/skinning/skinner.h"

namespace ck::render {

// Pictures of a character for actors that are far away: every clip of its atlas at some moments,
// from some directions, within a budget of bytes. They hold base colour, tint mask, normal and
// depth, so that an actor is tinted and lit as its mesh is. They do not hold morphs, normal maps,
// gloss, emission, surfaces of less than half cover. A current context is needed for every call,
// and for the destructor the one of make().
class ImpostorSet {
 public:
  // Plans the pictures and reserves their memory; goOn() draws them. `shaders` and `facts` must
  // outlive the set. `atlas` must not be null. Fails with LimitExceeded if the budget is too small,
  // the driver has no memory or the pictures exceed its limits.
  static Result<std::unique_ptr<ImpostorSet>> make(std::shared_ptr<CharacterGpu> character,
                                                   std::shared_ptr<AtlasGpu> atlas,
                                                   std::span<const int> hiddenMeshes,
                                                   ShaderLibrary& shaders,
                                                   const ContextFacts& facts,
                                                   std::size_t budgetBytes);

  // Whether all pictures are drawn.
  bool isReady() const { return painter_ == nullptr; }
  // Whether there are pictures from enough directions for a first look: those that are still to
  // come are replaced by their nearest ones. Until then draw() and drawPoints() must not be called.
  bool isShowable() const {
    return isReady() || painter_->doneDirections().size() >= kFewDirections;
  }

  // Draws pictures until the time is over, at least some; for work beside frames. Framebuffer and
  // viewport are kept, other state is that of resetGlState(). Fails with Internal (a shader) and
  // LimitExceeded.
  Result<void> goOn(double milliseconds);

  // Draws far actors as pictures, in passes of the kinds Color, ShadedColor, ActorIds (nothing
  // where the picture is empty; DrawPass::firstId + index into the records) and Depth; nothing in
  // others and in `overlaid` passes. `width` and `height` are those of the viewport, pixels. A
  // scissor box that is on stays as it is. Actors larger than largestPixels() are cut off.
  Result<void> draw(const FarActors& actors, const DrawPass& pass, int width, int height) const;
  // Draws them as squares of their mean colour with the area that they cover, at least a pixel.
  Result<void> drawPoints(const FarActors& actors, const DrawPass& pass, int width,
                          int height) const;

  // The pictures as they are exported, read back from the texture. isReady() must be true. Fails
  // with LimitExceeded where they do not fit into one picture of each layer.
  Result<Impostors> readBack() const;

  // Largest side of a picture on the screen that the driver draws, pixels.
  double largestPixels() const { return largestPixels_; }
  double metersPerPixel() const { return plan_.metersPerPixel; }  // ImpostorPlan::metersPerPixel
  double errorMeters() const { return plan_.errorMeters; }        // ImpostorPlan::errorMeters
  std::size_t bytes() const { return plan_.bytes; }
  int cellPixels() const { return std::max(plan_.cellWidth, plan_.cellHeight); }
  int directions() const { return static_cast<int>(plan_.directions.size()); }
  int moments() const { return static_cast<int>(plan_.moments.size()); }
  // Share of the pictures that are drawn, 0 to 1.
  double readyShare() const { return painter_ ? painter_->doneShare() : 1.0; }

 private:
  static constexpr std::size_t kFewDirections = 8;

  ImpostorSet(ImpostorPlan plan, std::shared_ptr<CharacterGpu> character,
              std::shared_ptr<AtlasGpu> atlas, ShaderLibrary& shaders);
  Result<void> reserve();
  Result<void> uploadPlan();
  Result<void> uploadDirections();
  Result<void> drawWith(const char* vertex, const char* fragment, const FarActors& actors,
                        const DrawPass& pass, int width, int height) const;

  ImpostorPlan plan_;
  std::shared_ptr<CharacterGpu> character_;
  std::shared_ptr<AtlasGpu> atlas_;
  ShaderLibrary& shaders_;
  GlHandle texture_;
  BufferTexture frames_{TexelKind::R32I};
  BufferTexture moments_;
  BufferTexture directions_;
  float largestPixels_ = 1.0f;
  std::unique_ptr<ImpostorPainter> painter_;  // null when it is done
};

}  // namespace ck::render

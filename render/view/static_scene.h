#pragma once

#include <optional>
#include <span>
#include <vector>

#include "render/gl/draw_commands.h"
#include "render/skinning/draw_actors.h"
#include "render/view/environment.h"

namespace ck::render {

// A static object in the scene. Objects with the same shape share its upload.
struct PlacedProp {
  CharacterPtr shape;  // from restShape()
  glm::vec3 position{0.0f};
  float yawDegrees = 0.0f;
  float scale = 1.0f;
  bool operator==(const PlacedProp&) const = default;
};

// The static objects: props and the ground disc. All are commands of one list, which every pass
// submits (DrawCommands). All shapes are in one vertex and one index buffer and their images in one
// texture, so all props are one multi-draw. The ground is in the list but has its own program: one
// program for both would run both branches for every pixel of a software renderer.
class StaticScene {
 public:
  // Both must outlive it.
  StaticScene(ShaderLibrary& shaders, const ContextFacts& facts);

  // Sets the props. Must be called once before drawing. Fails with LimitExceeded; there are no
  // props then.
  Result<void> set(std::span<const PlacedProp> props);

  std::size_t props() const { return placed_.size(); }
  int drawCalls() const { return commands_.callsFor(shapes_.size()); }
  std::optional<Bounds> box() const { return box_; }  // of all props, in world space
  // Whether a prop has a material with AlphaMode::Blend (DrawPass::overlaid).
  bool isBlended() const { return !placed_.empty() && gpu_ && gpu_->features.blended; }

  // Draws the props in a pass. Their id is 0, and they have no motion. Fails with Internal (a
  // shader).
  Result<void> drawProps(DrawPass pass);
  // Draws their soft shadows on the ground.
  Result<void> drawFootprints(Environment& environment, const SceneLook& look, Shadows shadows);
  // Submits the ground (kGroundCorners vertices) with the bound program.
  void submitGround() const;

 private:
  Result<void> uploadShapes(std::span<const CharacterPtr> shapes);
  Result<void> uploadPlaces();
  Result<void> uploadGround();

  ShaderLibrary& shaders_;
  std::vector<PlacedProp> placed_;    // sorted by shape
  std::vector<CharacterPtr> shapes_;  // the uploaded shapes
  std::vector<IndexRun> runs_;        // one per shape
  std::optional<CharacterGpu> gpu_;   // all shapes as one character
  ActorStream places_;
  GlHandle vertexArray_;
  ShadowCasters casters_;
  Buffer groundIndices_;
  GlHandle groundArray_;
  DrawCommands commands_;  // one per shape, then the ground
  std::optional<Bounds> box_;
};

}  // namespace ck::render

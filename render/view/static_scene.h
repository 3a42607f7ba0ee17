#pragma once

#include <optional>
#include <span>
#include <vector>

#include "render/gl/draw_commands.h"
#include "render/skinning/draw_actors.h"
#include "render/view/environment.h"

namespace ck::render {

// A thing that stands in the scene. Things of one shape share what is uploaded for it.
struct PlacedProp {
  CharacterPtr shape;  // as restShape() makes it
  glm::vec3 position{0.0f};
  float yawDegrees = 0.0f;
  float scale = 1.0f;
  bool operator==(const PlacedProp&) const = default;
};

// What stands still: the props and the disc of ground. They are commands of one list, submitted
// in every pass as skinned vertices are (DrawCommands). All shapes lie in one vertex and one index
// buffer and their pictures in one texture, so that all props are one multi-draw. The ground
// follows them in the list but has a program of its own: one program that chose between the two by
// a material would run both for every pixel of a software renderer.
class StaticScene {
 public:
  // All must outlive it.
  StaticScene(ShaderLibrary& shaders, const ContextFacts& facts);

  // What stands there from now on. Fails with LimitExceeded; nothing stands there then. To be
  // called once before anything is drawn.
  Result<void> set(std::span<const PlacedProp> props);

  std::size_t props() const { return placed_.size(); }
  std::size_t triangles() const { return triangles_; }  // of all props
  int drawCalls() const { return commands_.callsFor(shapes_.size()); }
  std::optional<Bounds> box() const { return box_; }  // of all props, in the world

  // Draws the props for a pass that paints: their ids are those of nobody, and they do not move.
  // Fails with Internal (a shader).
  Result<void> drawProps(DrawPass pass);
  // Their soft shadows on the ground.
  Result<void> drawFootprints(Environment& environment, const SceneLook& look, Shadows shadows);
  // The ground's corners (kGroundCorners), with the program that is bound.
  void submitGround() const;

 private:
  Result<void> uploadShapes(std::span<const CharacterPtr> shapes);
  Result<void> uploadPlaces();
  Result<void> uploadGround();

  ShaderLibrary& shaders_;
  std::vector<PlacedProp> placed_;    // those of one shape one after another
  std::vector<CharacterPtr> shapes_;  // that are uploaded
  std::vector<IndexRun> runs_;        // of every shape
  std::optional<CharacterGpu> gpu_;   // all shapes as one
  ActorStream places_;
  GlHandle vertexArray_;
  ShadowCasters casters_;
  Buffer groundIndices_;
  GlHandle groundArray_;
  DrawCommands commands_;  // one for each shape, then the ground's
  std::size_t triangles_ = 0;
  std::optional<Bounds> box_;
};

}  // namespace ck::render

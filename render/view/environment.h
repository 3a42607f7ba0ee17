#pragma once

#include <memory>
#include <span>

#include "core/atlas/atlas.h"
#include "core/scene/character.h"
#include "core/view/footprints.h"
#include "core/view/view_settings.h"
#include "render/far/far_actors.h"
#include "render/gl/buffer.h"
#include "render/gl/shader_library.h"
#include "render/scene/camera.h"
#include "render/scene/scene_look.h"
#include "render/skinning/actor_stream.h"

namespace ck::render {

class StaticScene;

// The ground is a disc of rings of cells. scene/ground.vert computes its vertices from their
// indices.
inline constexpr int kGroundRings = 20;
inline constexpr int kGroundSpokes = 48;
inline constexpr int kGroundCorners = kGroundRings * kGroundSpokes * 6;

// The legend of the error view: its distance from the right edge and its width, in pixels, and its
// share of the image's height, about the middle.
inline constexpr int kLegendRightPixels = 20;
inline constexpr int kLegendWidthPixels = 14;
inline constexpr double kLegendShare = 0.4;

// The footprints of one character: one record per frame of the atlas, or one for all.
struct ShadowCasters {
  std::shared_ptr<const BufferTexture> footprints;  // shared by all levels of a character
  int count = 0;
  GlHandle actorArrays[2];  // indexed by the format of the actors' records
};

// Fails with LimitExceeded.
Result<ShadowCasters> uploadShadowCasters(std::span<const Footprint> footprints);

// How far actors are seen: the viewport and the height up to which points stand for them, in
// pixels, and the height of their body at scale 1 in metres.
struct FarShape {
  int width = 0;
  int height = 0;
  double pointPixels = 0.0;
  double bodyMeters = 1.8;
};

// Draws everything except actors: sky, ground with grid, soft shadows and selection rings, and
// legends. Draw it after the actors, so that hidden pixels cost nothing: first the ground, then the
// sky, then footprints.
class Environment {
 public:
  explicit Environment(ShaderLibrary& shaders);

  // Compiles all programs. Fails with Internal.
  Result<void> prepare();

  Result<void> drawSky(const SceneLook& look);
  // `scene` has the ground's triangles.
  Result<void> drawGround(const SceneLook& look, const Camera& camera, bool grid,
                          const StaticScene& scene);
  // Draws soft shadows, or with Cascades only the contact shadows, and the rings of selected
  // actors, for one character. The same casters must always be used with the same streams, one per
  // record format.
  Result<void> drawFootprints(const SceneLook& look, ShadowCasters& casters, ActorStream& actors,
                              Shadows shadows);
  // Draws the shadows of far actors, without rings, into the viewport of `shape`.
  Result<void> drawFarFootprints(const SceneLook& look, const ShadowCasters& casters,
                                 const FarActors& actors, Shadows shadows, const FarShape& shape);
  // Draws the legend of the motion view in the lower right corner.
  Result<void> drawWheel(int width, int height);
  // Draws the legend of the error view at the right edge.
  Result<void> drawLegend(int width, int height);

 private:
  ShaderLibrary& shaders_;
  GlHandle emptyArray_;  // core profiles require a vertex array for drawing
};

}  // namespace ck::render

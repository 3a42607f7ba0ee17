#pragma once

#include <span>

#include "core/atlas/atlas.h"
#include "core/scene/character.h"
#include "core/view/view_settings.h"
#include "render/gl/buffer.h"
#include "render/gl/shader_library.h"
#include "render/scene/camera.h"
#include "render/scene/footprints.h"
#include "render/scene/scene_look.h"
#include "render/skinning/actor_stream.h"

namespace ck::render {

class StaticScene;

// The ground is a disc of rings of cells; crowd/ground.vert takes its corners by their numbers.
inline constexpr int kGroundRings = 20;
inline constexpr int kGroundSpokes = 48;
inline constexpr int kGroundCorners = kGroundRings * kGroundSpokes * 6;

// What the soft shadows of one character are cast by: one record per frame of the atlas, or one for
// all.
struct ShadowCasters {
  BufferTexture footprints;
  int count = 0;
  GlHandle actorArrays[2];  // by the form of the actors' records
};

// Fails with LimitExceeded.
Result<ShadowCasters> uploadShadowCasters(std::span<const Footprint> footprints);

// Everything in the picture that is not an actor: sky, ground with its grid, soft shadows and
// selection rings on the ground, the bar of the error view. To be drawn after the
// actors, so that what they hide costs nothing: the ground first, then sky, then footprints.
class Environment {
 public:
  explicit Environment(ShaderLibrary& shaders);

  // Compiles everything that the functions below use. Fails with Internal.
  Result<void> prepare();

  Result<void> drawSky(const SceneLook& look);
  // `scene` has the ground's triangles.
  Result<void> drawGround(const SceneLook& look, const Camera& camera, bool grid,
                          const StaticScene& scene);
  // Shadows as Soft has them, of Cascades only the darkness under the feet, and the rings of
  // selected actors, of one character. The same casters
  // come with the same streams, one of each form.
  Result<void> drawFootprints(const SceneLook& look, ShadowCasters& casters, ActorStream& actors,
                              Shadows shadows);
  // The colours of the motion view in the lower right corner of a picture of this size.
  Result<void> drawWheel(int width, int height);
  // The colours of the error view at the right edge of a picture of this size.
  Result<void> drawLegend(int width, int height);

 private:
  ShaderLibrary& shaders_;
  GlHandle emptyArray_;  // core profiles draw nothing without a vertex array
};

}  // namespace ck::render

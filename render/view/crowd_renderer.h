#pragma once

#include <cstdint>
#include <filesystem>
#include <glm/glm.hpp>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/crowd/crowd.h"
#include "core/project/project.h"
#include "core/scene/character.h"
#include "render/gl/context.h"
#include "render/skinning/atlas_variants.h"
#include "render/view/camera.h"

namespace ck::render {

// What is drawn for every actor.
enum class Shown {
  Source,      // the file's own clips, skinned on the CPU (method cpu only)
  Baked,       // the atlas
  Split,       // source left, baked right of the middle
  Error,       // baked, coloured by the distance to the source without its morph targets
  BookTiming,  // baked, left as timed here, right with the frames of the write-up's timing
};

struct RenderSettings {
  Method method = Method::Palette;
  Sampling sampling = Sampling::Interpolated;  // method atlas: any that the atlas allows
  int influences = 4;                          // 1, 2 or 4
  bool fades = true;                           // whether second clips are shown
  // Method palette: actors whose moments agree when rounded to this many steps between two frames
  // share one pose (and the blends of fades, to sixteenths). 0: only equal moments are shared.
  // Where sharing would not halve the poses, every actor has its own, unrounded.
  int poseSteps = 0;
  // How long a tick lasts for the write-up's timing, which takes the second frame from it: for
  // Shown::BookTiming (whose right half interpolates by fetching, without fades) and method book.
  double bookTickSeconds = 1.0 / 60.0;
  Shown shown = Shown::Baked;
  bool grid = true;
  Shadows shadows = Shadows::Soft;
  double errorScaleMm = 5.0;  // the distance that Shown::Error paints hottest
  bool operator==(const RenderSettings&) const = default;
};

// What one frame cost.
struct FrameStats {
  std::size_t actors = 0;
  std::size_t verticesPerActor = 0;
  std::size_t trianglesPerActor = 0;
  int drawCalls = 0;         // for the crowd, without ground and overlays
  int fetchesPerVertex = 0;  // texel fetches of the pose in the vertex stage, at most
  std::size_t atlasBytes = 0;
  std::size_t uploadedBytes = 0;  // this frame
  double updateMs = 0.0;          // CPU time of preparing and uploading actors
  double drawMs = 0.0;  // CPU time of submitting (software GL: includes much of the drawing)
};

// An 8-bit RGBA picture, top row first.
struct Frame {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgba;
};

// Pixels of a view, y down.
struct PixelBox {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
};

// Draws a crowd of one character. Owns all GL objects; needs the same current context in every
// call, its destruction included.
class CrowdRenderer {
 public:
  // Builds programs and checks the context. Fails with NoGraphics (what is missing) and Internal (a
  // shader does not compile; the log has the driver's text).
  static Result<std::unique_ptr<CrowdRenderer>> make();
  ~CrowdRenderer();

  const ContextFacts& facts() const;

  // Uploads welded, cache-optimised meshes and pictures. Fails with LimitExceeded; the old
  // character stays then.
  Result<void> setCharacter(CharacterPtr character);

  // Uploads the atlas, which must belong to the character. Fails with LimitExceeded (texture size,
  // memory) and InvalidInput (joints do not fit); the old atlas stays then. nullptr takes it away.
  Result<void> setAtlas(AtlasPtr atlas);

  // Draws into the framebuffer object `framebuffer` (0: the window's), which must have colour and
  // depth, size in pixels. Without an atlas the actors are drawn from the source (method cpu).
  // `selected` holds visible-actor indices to outline. Fails where the settings cannot be drawn.
  Result<void> draw(const Crowd& crowd, const Camera& camera, const RenderSettings& settings,
                    unsigned framebuffer, int width, int height,
                    std::span<const std::uint32_t> selected = {});

  // Draws into a texture of its own and reads it back.
  Result<Frame> drawToFrame(const Crowd& crowd, const Camera& camera,
                            const RenderSettings& settings, int width, int height,
                            std::span<const std::uint32_t> selected = {});

  // Draws into a texture that is kept, waits until the driver is done and reads nothing back: for
  // measuring. With `vertexStageOnly` nothing but the crowd's vertex stage runs.
  Result<void> drawAndFinish(const Crowd& crowd, const Camera& camera,
                             const RenderSettings& settings, int width, int height,
                             bool vertexStageOnly = false);

  // The visible actor under a pixel (y down) or -1, by drawing ids.
  Result<int> pick(const Crowd& crowd, const Camera& camera, const RenderSettings& settings,
                   int width, int height, int x, int y);

  // The visible actors of which a pixel of the box is to be seen, ascending. What is outside of the
  // view counts as empty.
  Result<std::vector<std::uint32_t>> pickBox(const Crowd& crowd, const Camera& camera,
                                             const RenderSettings& settings, int width, int height,
                                             const PixelBox& box);

  // World positions of the character's vertices for every visible actor, as the GPU computes them
  // (transform feedback): actor-major, vertices in Character order (meshes one after another).
  Result<std::vector<glm::vec3>> readBackPositions(const Crowd& crowd,
                                                   const RenderSettings& settings);

  const FrameStats& stats() const;

 private:
  struct Parts;
  explicit CrowdRenderer(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

// The box of a crowd: actors' places grown by the size of the character.
Bounds crowdBounds(const Crowd& crowd, const Character& character);

// Writes an RGBA PNG (libpng), atomically.
Result<void> writePng(const Frame& frame, const std::filesystem::path& path);

// World positions by the CPU oracle in double, same order as readBackPositions: the atlas decoded
// (read as settings.method reads it), or the source clips with `fromSource`; for the method live
// the source clips without their morph targets.
std::vector<glm::dvec3> oraclePositions(const Character& character, const Atlas* atlas,
                                        const Crowd& crowd, const RenderSettings& settings,
                                        bool fromSource);

}  // namespace ck::render

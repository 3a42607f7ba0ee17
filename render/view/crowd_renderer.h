#pragma once

#include <cstdint>
#include <filesystem>
#include <glm/glm.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/crowd/mixed_crowd.h"
#include "core/scene/character.h"
#include "render/frame/frame_stats.h"
#include "render/gl/context.h"
#include "render/scene/camera.h"
#include "render/view/cast_entry.h"
#include "render/view/render_settings.h"
#include "render/view/static_scene.h"

namespace ck::render {

struct Playing;

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

// Draws a crowd of one character or of several. A frame is passes over actors as the last tick
// posed them; a tick is made where the crowd, the settings or the selection have changed, for a
// crowd that moves on at most RenderSettings::tickRateHz times a second. Between ticks poses and
// places stay. Owns all GL objects; needs the same current context in every call, its destruction
// included.
class CrowdRenderer {
 public:
  // Builds programs and checks the context. Fails with NoGraphics (what is missing) and Internal (a
  // shader does not compile; the log has the driver's text). `skinnedPageVertices` is how many
  // vertices a buffer of skinned vertices has at most; 0: as many as the driver takes.
  static Result<std::unique_ptr<CrowdRenderer>> make(std::size_t skinnedPageVertices = 0);
  ~CrowdRenderer();

  const ContextFacts& facts() const;

  // The characters to draw, by Actor::character; without a character its actors are not to be
  // seen. Entries with the same character or atlas share
  // what is uploaded, and what is uploaded already stays. Fails as setCharacter() and setAtlas()
  // do; the old cast stays then.
  Result<void> setCast(std::span<const CastEntry> cast);

  // A cast of one. Uploads welded, cache-optimised meshes and pictures. Fails with LimitExceeded;
  // the old cast stays then, else the atlas that fits.
  Result<void> setCharacter(CharacterPtr character);

  // Uploads the atlas of the first character, to which it must belong. Fails with LimitExceeded
  // (texture size, memory) and InvalidInput (joints do not fit); the old atlas stays then. nullptr
  // takes it away.
  Result<void> setAtlas(AtlasPtr atlas);

  // What stands in the scene, from now on; shapes that stood there before stay uploaded. Fails with
  // LimitExceeded; nothing stands there then.
  Result<void> setProps(std::span<const PlacedProp> props);

  // Draws into the framebuffer object `framebuffer` (0: the window's), which must have colour and
  // depth, size in pixels. Without an atlas the actors are drawn from the source (method cpu).
  // `selected` holds visible actors to outline. Fails where the settings cannot be drawn, or the
  // crowd has more characters than the cast.
  Result<void> draw(const CrowdView& crowd, const Camera& camera, const RenderSettings& settings,
                    unsigned framebuffer, int width, int height,
                    std::span<const std::uint32_t> selected = {});

  // Draws into a texture of its own and reads it back.
  Result<Frame> drawToFrame(const CrowdView& crowd, const Camera& camera,
                            const RenderSettings& settings, int width, int height,
                            std::span<const std::uint32_t> selected = {});

  // Draws into a texture that is kept, waits until the driver is done and reads nothing back: for
  // measuring, so with a tick in any case. With `vertexStageOnly` nothing but the crowd's vertex
  // stage runs.
  Result<void> drawAndFinish(const CrowdView& crowd, const Camera& camera,
                             const RenderSettings& settings, int width, int height,
                             bool vertexStageOnly = false);

  // The visible actor under a pixel (y down) or -1, by drawing ids.
  Result<int> pick(const CrowdView& crowd, const Camera& camera, const RenderSettings& settings,
                   int width, int height, int x, int y);

  // The visible actors of which a pixel of the box is to be seen, ascending. What is outside of the
  // view counts as empty.
  Result<std::vector<std::uint32_t>> pickBox(const CrowdView& crowd, const Camera& camera,
                                             const RenderSettings& settings, int width, int height,
                                             const PixelBox& box);

  // How many pixels of the view show an actor, by drawing ids. After draw() with the same settings
  // nothing is posed again.
  Result<std::size_t> countCovered(const CrowdView& crowd, const Camera& camera,
                                   const RenderSettings& settings, int width, int height);

  // Poses the crowd as draw() does and draws nothing, for what reads back (render/reference). Faces
  // are near to `eye`, or all of them; the motion view sees the crowd through `camera`.
  Result<void> pose(const CrowdView& crowd, const RenderSettings& settings,
                    std::optional<glm::vec3> eye = {}, const Camera* camera = nullptr);
  // The characters that have actors, as of the last pose() or drawing.
  const std::vector<Playing>& playing() const;
  // DrawPass::cameraStep of the motion view, likewise.
  glm::mat4 cameraStep() const;

  const FrameStats& stats() const;

 private:
  struct Parts;
  explicit CrowdRenderer(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

// Writes an RGBA PNG (libpng), atomically.
Result<void> writePng(const Frame& frame, const std::filesystem::path& path);

}  // namespace ck::render

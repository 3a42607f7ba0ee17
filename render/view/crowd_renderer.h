#pragma once

#include <cstdint>
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
#include "render/view/character_entry.h"
#include "render/view/frame_image.h"
#include "render/view/render_settings.h"
#include "render/view/static_scene.h"

namespace ck::render {

struct Playing;

// A rectangle of pixels in a view, y down.
struct PixelBox {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
};

// The first pixel column of a halved view's right half. `wipe` as ViewSettings::wipe.
int dividerOf(double wipe, int widthPixels);

// Draws a crowd of one or more characters. A frame consists of passes over actors that were posed
// in the last tick. A tick is made if the crowd, the settings or the selection have changed, for an
// advancing crowd at most ViewSettings::tickRateHz times per second. Owns all GL objects; every
// call, including the destructor, needs the same current context.
class CrowdRenderer {
 public:
  // Compiles programs and checks the context. Fails with NoGraphics (what is missing) and Internal
  // (a shader does not compile; the driver's message is in the log). `skinnedPageVertices` limits
  // the vertices in a buffer of skinned vertices; 0: the driver's limit.
  static Result<std::unique_ptr<CrowdRenderer>> make(std::size_t skinnedPageVertices = 0);
  ~CrowdRenderer();

  const ContextFacts& facts() const;

  // Sets the characters, indexed by Actor::character. Actors without a character are not drawn.
  // Entries with the same character or atlas share uploads, and existing uploads are kept. Fails as
  // setCharacter() and setAtlas() do; the old characters are then kept.
  Result<void> setCharacters(std::span<const CharacterEntry> entries);

  // Sets a single character. Uploads merged, cache-optimised meshes and images. Keeps the current
  // atlas if it fits. Fails with LimitExceeded; the old character is then kept.
  Result<void> setCharacter(CharacterPtr character);

  // Sets the atlas of the first character, which must fit; nullptr removes it. Fails with
  // LimitExceeded (texture size, memory) and InvalidInput (joints do not fit); the old atlas is
  // then kept.
  Result<void> setAtlas(AtlasPtr atlas);

  // Sets the props. Shapes that were used before stay uploaded. Fails with LimitExceeded; there are
  // no props then.
  Result<void> setProps(std::span<const PlacedProp> props);

  // Draws to the framebuffer object `framebuffer` (0: the window's), which must have colour and
  // depth. Sizes are in pixels. Without an atlas, actors are drawn from the source (method cpu).
  // `selected` holds visible actors to highlight. Fails if the settings cannot be drawn, or if the
  // crowd has more characters than were set.
  Result<void> draw(const CrowdView& crowd, const Camera& camera, const RenderSettings& settings,
                    unsigned framebuffer, int width, int height,
                    std::span<const std::uint32_t> selected = {});

  // Draws to an internal texture and reads it back.
  Result<Frame> drawToFrame(const CrowdView& crowd, const Camera& camera,
                            const RenderSettings& settings, int width, int height,
                            std::span<const std::uint32_t> selected = {});

  // Draws to an internal texture and waits for the driver, without reading back, for measurements.
  // Always makes a tick. With `vertexStageOnly` only the crowd's vertex stage runs.
  Result<void> drawAndFinish(const CrowdView& crowd, const Camera& camera,
                             const RenderSettings& settings, int width, int height,
                             bool vertexStageOnly = false);

  // Waits until all is made that a large crowd that was drawn with levels of detail can be drawn
  // with, for pictures that are drawn once.
  void completeDetail();

  // The visible actor at a pixel (y down), or -1. Draws ids.
  Result<int> pick(const CrowdView& crowd, const Camera& camera, const RenderSettings& settings,
                   int width, int height, int x, int y);

  // The visible actors with at least one visible pixel in the box, ascending. The part of the box
  // outside the view is ignored.
  Result<std::vector<std::uint32_t>> pickBox(const CrowdView& crowd, const Camera& camera,
                                             const RenderSettings& settings, int width, int height,
                                             const PixelBox& box);

  // The number of pixels that show an actor. Draws ids. After draw() with the same settings no tick
  // is made.
  Result<std::size_t> countCovered(const CrowdView& crowd, const Camera& camera,
                                   const RenderSettings& settings, int width, int height);

  // Poses the crowd as draw() does, without drawing, for read-backs (render/reference). Actors near
  // `eye` are morphed, or all without it. The motion view uses `camera`.
  Result<void> pose(const CrowdView& crowd, const RenderSettings& settings,
                    std::optional<glm::vec3> eye = {}, const Camera* camera = nullptr);
  // The characters with actors, as of the last pose() or draw().
  const std::vector<Playing>& playing() const;
  // DrawPass::cameraStep of the motion view, as of the last pose() or draw().
  glm::mat4 cameraStep() const;

  const FrameStats& stats() const;

 private:
  struct Parts;
  explicit CrowdRenderer(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace ck::render

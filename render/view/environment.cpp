#include "render/view/environment.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "render/far/far_footprints.h"
#include "render/view/static_scene.h"

namespace ck::render {
namespace {

// Number of sky cells.
constexpr int kSkyAcross = 24;
constexpr int kSkyUp = 16;
constexpr int kCornersPerCell = 6;

const ProgramRequest kSky{
    "scene/sky.vert", "scene/sky.frag", {{"CK_ACROSS", kSkyAcross}, {"CK_UP", kSkyUp}}, {}};

ProgramRequest groundRequest(bool grid, bool shaded) {
  ProgramRequest request{
      "scene/ground.vert",
      "scene/ground.frag",
      {{"CK_RINGS", kGroundRings}, {"CK_SPOKES", kGroundSpokes}, {"CK_GRID", grid}},
      {}};
  if (shaded) request.defines.push_back({"CK_SHADOWS", 1});
  return request;
}

const ProgramRequest kFootprint{"scene/footprint.vert", "scene/footprint.frag", {}, {}};
const ProgramRequest kFootprintCompact{
    "scene/footprint.vert", "scene/footprint.frag", {{"CK_COMPACT_RECORD", 1}}, {}};
const ProgramRequest kLegend{"scene/legend.vert", "scene/legend.frag", {}, {}};
const ProgramRequest kWheel{"scene/legend.vert", "scene/wheel.frag", {}, {}};

// Darkness of the key light's shadow and of the contact shadow.
constexpr float kSoftSun = 0.46f;
constexpr float kSoftContact = 0.60f;
constexpr float kCascadesContact = 0.42f;

float sunStrength(Shadows shadows) {
  return shadows == Shadows::Soft ? kSoftSun : 0.0f;
}
float contactStrength(Shadows shadows) {
  if (shadows == Shadows::Off) return 0.0f;
  return shadows == Shadows::Soft ? kSoftContact : kCascadesContact;
}

constexpr int kQuadsPerActor = 3;

// Tests depth without writing it, and blends premultiplied colours.
void startOverlay() {
  glDepthFunc(GL_LEQUAL);
  glDepthMask(GL_FALSE);
  glEnable(GL_BLEND);
  glBlendFuncSeparate(GL_ONE, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE);
}

void endOverlay() {
  glDisable(GL_BLEND);
  glDepthMask(GL_TRUE);
  glDepthFunc(GL_LESS);
}

}  // namespace

Result<ShadowCasters> uploadShadowCasters(std::span<const Footprint> footprints) {
  const auto buffer = std::make_shared<BufferTexture>();
  auto stored = buffer->upload(footprints, BufferUse::Static, "the shadows");
  if (!stored) return tl::unexpected(stored.error());
  ShadowCasters casters;
  casters.footprints = buffer;
  casters.count = static_cast<int>(footprints.size());
  return casters;
}

Environment::Environment(ShaderLibrary& shaders)
    : shaders_(shaders), emptyArray_(GlHandle::generate(GlKind::VertexArray)) {}

Result<void> Environment::prepare() {
  for (const ProgramRequest& request :
       {kSky, groundRequest(true, false), kFootprint, kLegend, kWheel}) {
    if (auto program = shaders_.program(request); !program) {
      return tl::unexpected(program.error());
    }
  }
  return {};
}

Result<void> Environment::drawSky(const SceneLook& look) {
  auto program = shaders_.program(kSky);
  if (!program) return tl::unexpected(program.error());
  setLook(**program, look);
  (*program)->set("ckWorldFromClip", glm::inverse(look.viewProjection));
  glDepthFunc(GL_LEQUAL);
  glDepthMask(GL_FALSE);
  glBindVertexArray(emptyArray_.name());
  glDrawArrays(GL_TRIANGLES, 0, kSkyAcross * kSkyUp * kCornersPerCell);
  endOverlay();
  return {};
}

Result<void> Environment::drawGround(const SceneLook& look, const Camera& camera, bool grid,
                                     const StaticScene& scene) {
  if (look.eye.y <= 0.0f) return {};  // from below, the ground would hide the actors' feet
  auto program = shaders_.program(groundRequest(grid, look.shadows.count > 0));
  if (!program) return tl::unexpected(program.error());
  // The cell size is a power of ten metres that suits the distance. Finer lines fade out before
  // they are removed.
  const double decade = std::log10(std::max(camera.distance, 0.01) / 6.0);
  const double cell = std::pow(10.0, std::floor(decade));
  const double fade = 1.0 - (decade - std::floor(decade));
  const double radius = std::max(camera.distance * 14.0, 30.0);
  setLook(**program, look);
  (*program)->set("ckGroundCenter", glm::vec2(camera.target.x, camera.target.z));
  (*program)->set("ckGroundRadius", static_cast<float>(radius));
  if (grid) {
    (*program)->set("ckCellMeters", static_cast<float>(cell));
    (*program)->set("ckCellFade", static_cast<float>(std::min(1.0, fade * 1.6)));
  }
  // Slightly farther away, so that soles and shadows are in front.
  glEnable(GL_POLYGON_OFFSET_FILL);
  glPolygonOffset(1.0f, 4.0f);
  scene.submitGround();
  glDisable(GL_POLYGON_OFFSET_FILL);
  return {};
}

Result<void> Environment::drawFootprints(const SceneLook& look, ShadowCasters& casters,
                                         ActorStream& actors, Shadows shadows) {
  if (look.eye.y <= 0.0f || casters.count == 0 || actors.size() == 0) return {};
  const bool compact = actors.form() == ActorRecord::Compact;
  auto program = shaders_.program(compact ? kFootprintCompact : kFootprint);
  if (!program) return tl::unexpected(program.error());
  GlHandle& actorArray = casters.actorArrays[compact ? 1 : 0];
  if (!actorArray) {
    actorArray = GlHandle::generate(GlKind::VertexArray);
    glBindVertexArray(actorArray.name());
    actors.attach();
  }
  setLook(**program, look);
  (*program)->set("ckFootprintCount", casters.count);
  (*program)->set("ckSunStrength", sunStrength(shadows));
  (*program)->set("ckContactStrength", contactStrength(shadows));
  casters.footprints->bind(unit::kFootprints);
  startOverlay();
  glEnable(GL_POLYGON_OFFSET_FILL);
  glPolygonOffset(-1.0f, -2.0f);
  glBindVertexArray(actorArray.name());
  glDrawArraysInstanced(GL_TRIANGLES, 0, 6 * kQuadsPerActor, static_cast<GLsizei>(actors.size()));
  glDisable(GL_POLYGON_OFFSET_FILL);
  endOverlay();
  return {};
}

Result<void> Environment::drawFarFootprints(const SceneLook& look, const ShadowCasters& casters,
                                            const FarActors& actors, Shadows shadows,
                                            const FarShape& shape) {
  const FarShadows far{*casters.footprints,
                       casters.count,
                       sunStrength(shadows),
                       contactStrength(shadows),
                       static_cast<float>(shape.pointPixels),
                       static_cast<float>(shape.bodyMeters)};
  return ck::render::drawFarFootprints(shaders_, look, far, actors, shape.width, shape.height);
}

Result<void> Environment::drawWheel(int width, int height) {
  auto program = shaders_.program(kWheel);
  if (!program) return tl::unexpected(program.error());
  constexpr float kPixels = 76.0f;
  constexpr float kMargin = 16.0f;
  const glm::vec2 pixel(2.0f / static_cast<float>(width), 2.0f / static_cast<float>(height));
  (*program)->set("ckBar",
                  glm::vec4(1.0f - (kPixels + kMargin) * pixel.x, -1.0f + kMargin * pixel.y,
                            kPixels * pixel.x, kPixels * pixel.y));
  startOverlay();
  glDisable(GL_DEPTH_TEST);
  glBindVertexArray(emptyArray_.name());
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  glEnable(GL_DEPTH_TEST);
  endOverlay();
  return {};
}

Result<void> Environment::drawLegend(int width, int height) {
  auto program = shaders_.program(kLegend);
  if (!program) return tl::unexpected(program.error());
  const glm::vec2 pixel(2.0f / static_cast<float>(width), 2.0f / static_cast<float>(height));
  constexpr auto kWidth = static_cast<float>(kLegendWidthPixels);
  constexpr auto kRight = static_cast<float>(kLegendRightPixels);
  constexpr auto kShare = static_cast<float>(kLegendShare);
  const glm::vec4 bar(1.0f - (kRight + kWidth) * pixel.x, -kShare, kWidth * pixel.x, 2.0f * kShare);
  const glm::vec4 frame(bar.x - 2.0f * pixel.x, bar.y - 2.0f * pixel.y, bar.z + 4.0f * pixel.x,
                        bar.w + 4.0f * pixel.y);
  glDisable(GL_DEPTH_TEST);
  glBindVertexArray(emptyArray_.name());
  for (const bool isFrame : {true, false}) {
    (*program)->set("ckBar", isFrame ? frame : bar);
    (*program)->set("ckFrame", isFrame ? 1 : 0);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  }
  glEnable(GL_DEPTH_TEST);
  return {};
}

}  // namespace ck::render

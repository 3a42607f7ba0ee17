#include "render/far/far_footprints.h"

#include <epoxy/gl.h>

#include <cmath>

#include "render/far/guard_band.h"

namespace ck::render {
namespace {

// Nearer than the ground by this, so that it does not hide its own shadows; of depths from 0 to 1.
constexpr double kInFront = 2e-6;

// The depth of the plane y = 0 as factors of a pixel's x, y and 1 (ckGroundDepth). A plane's depth
// is linear on the screen, because a projection takes planes to planes.
glm::vec3 groundDepth(const glm::mat4& viewProjection, const glm::dvec4& screen) {
  const glm::dvec4 plane =
      glm::transpose(glm::inverse(glm::dmat4(viewProjection))) * glm::dvec4(0.0, 1.0, 0.0, 0.0);
  // plane.x X + plane.y Y + plane.z Z + plane.w = 0 in normalised coordinates.
  const glm::dvec3 ndc = glm::dvec3(plane.x, plane.y, plane.w) / -plane.z;
  const double perX = 2.0 / screen.z;
  const double perY = 2.0 / screen.w;
  const glm::dvec3 depth(ndc.x * perX, ndc.y * perY,
                         ndc.z - ndc.x * (1.0 + screen.x * perX) - ndc.y * (1.0 + screen.y * perY));
  return glm::vec3(0.5 * depth + glm::dvec3(0.0, 0.0, 0.5 - kInFront));
}

}  // namespace

Result<void> drawFarFootprints(ShaderLibrary& shaders, const SceneLook& look,
                               const FarShadows& shadows, const FarActors& actors, int width,
                               int height) {
  if (look.eye.y <= 0.0f || shadows.count == 0 || actors.size() == 0) return {};
  auto program = shaders.program({"far/footprint.vert", "far/footprint.frag", {}, {}});
  if (!program) return tl::unexpected(program.error());
  const GuardBand guard(width, height);
  guard.set(**program);
  setLook(**program, look);
  (*program)->set("ckFootprintCount", shadows.count);
  (*program)->set("ckSunStrength", shadows.sun);
  (*program)->set("ckContactStrength", shadows.contact);
  (*program)->set("ckFade", glm::vec2(shadows.pointPixels, shadows.bodyMeters));
  (*program)->set("ckGroundDepth", groundDepth(look.viewProjection, glm::dvec4(guard.screen())));
  shadows.footprints.bind(unit::kFootprints);
  glDepthFunc(GL_LEQUAL);
  glDepthMask(GL_FALSE);
  glEnable(GL_BLEND);
  glBlendFuncSeparate(GL_ONE, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE);
  actors.draw(**program);
  glDisable(GL_BLEND);
  glDepthMask(GL_TRUE);
  glDepthFunc(GL_LESS);
  return {};
}

}  // namespace ck::render

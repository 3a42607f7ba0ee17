#include "render/view/light_choice.h"

#include <algorithm>

namespace ck::render {
namespace {

// The maximum edge length in pixels for light at vertices, as a function of the sine between vertex
// and triangle normals: 64 for flat sides, where only highlights change, 12 for a body as round as
// the townsperson, 4 for a square bar with smooth normals.
double largestEdge(double turn) {
  return 3.4 / (turn + 0.053);
}

// In llvmpipe 22.3.6 light costs 18 ns per vertex, and 330 ns per pixel under triangles of pixel
// size (80 to 1,000 actors of 5,718 vertices). About half of the box is covered.
constexpr double kVerticesPerPixel = 10.0;

// The number of pixels of the box; the whole image if a part of the box is behind the eye.
double shownPixels(const Bounds& box, const SceneLook& look, int width, int height) {
  glm::dvec2 low(1.0);
  glm::dvec2 high(-1.0);
  for (const glm::dvec3& corner : cornersOf(box)) {
    const glm::dvec4 clip = glm::dmat4(look.viewProjection) * glm::dvec4(corner, 1.0);
    if (clip.w <= 0.0) return static_cast<double>(width) * height;
    const glm::dvec2 at = glm::clamp(glm::dvec2(clip) / clip.w, -1.0, 1.0);
    low = glm::min(low, at);
    high = glm::max(high, at);
  }
  const glm::dvec2 share = glm::max(high - low, glm::dvec2(0.0)) * 0.5;
  return share.x * width * share.y * height;
}

}  // namespace

bool lightPaysAtVertices(const CharacterRenderer& characterRenderer, const SceneLook& look,
                         double pixelsAtMeter, int width, int height) {
  if (characterRenderer.actors() == 0) return false;
  const double limit =
      largestEdge(static_cast<double>(characterRenderer.character()->surface().medianTurn));
  if (characterRenderer.largestEdgePixels(glm::dvec3(look.eye), pixelsAtMeter) > limit)
    return false;
  const auto vertices = static_cast<double>(characterRenderer.positions());
  return vertices <=
         kVerticesPerPixel * shownPixels(characterRenderer.reachedBox(), look, width, height);
}

}  // namespace ck::render

#include "app/commands/framing.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ck::cli {
namespace {

void addCorners(std::vector<glm::vec4>& corners, const Crowd& crowd, const Atlas& atlas) {
  const ActorRecords records = crowd.instances();
  corners.reserve(corners.size() + records.size() * 8);
  for (std::size_t i = 0; i < records.size(); ++i) {
    const int clip = crowd.clips()[static_cast<std::size_t>(crowd.clipOf(i))].atlasClip;
    const Bounds box = atlas.clips[static_cast<std::size_t>(std::max(clip, 0))].bounds;
    const gpu::CkActor actor = records[i];
    const glm::vec3 place(actor.positionAlphaA.x, actor.positionAlphaA.y, actor.positionAlphaA.z);
    for (int corner = 0; corner < 8; ++corner) {
      const glm::vec3 own(glm::dvec3((corner & 1) != 0 ? box.high.x : box.low.x,
                                     (corner & 2) != 0 ? box.high.y : box.low.y,
                                     (corner & 4) != 0 ? box.high.z : box.low.z));
      const glm::vec3 world = place + gpu::ck_rotate(actor.rotation, own * actor.scaleAlphaB.x);
      corners.emplace_back(world.x, world.y, world.z, 1.0f);
    }
  }
}

// The part of the picture that the corners take, -1 .. 1 from edge to edge.
struct Extent {
  glm::dvec2 low{1e9};
  glm::dvec2 high{-1e9};
  bool behind = false;
};

Extent project(const render::Camera& camera, const std::vector<glm::vec4>& corners, double aspect) {
  const glm::mat4 matrix = render::projectionMatrix(camera, aspect) * render::viewMatrix(camera);
  Extent extent;
  for (const glm::vec4& corner : corners) {
    const glm::vec4 clip = matrix * corner;
    if (static_cast<double>(clip.w) < camera.distance * 0.02) {
      extent.behind = true;
      return extent;
    }
    const glm::dvec2 at(clip.x / clip.w, clip.y / clip.w);
    extent.low = glm::min(extent.low, at);
    extent.high = glm::max(extent.high, at);
  }
  return extent;
}

}  // namespace

void frameActors(render::Camera& camera, const CrowdView& crowd, std::span<const AtlasPtr> atlases,
                 double aspect) {
  constexpr int kRounds = 8;  // each brings the fit much nearer; the picture shows no further ones
  constexpr double kFilled = 0.9;
  std::vector<glm::vec4> corners;
  for (std::size_t c = 0; c < std::min(crowd.crowds().size(), atlases.size()); ++c) {
    addCorners(corners, crowd.crowds()[c], *atlases[c]);
  }
  if (corners.empty()) return;
  for (int round = 0; round < kRounds; ++round) {
    const Extent extent = project(camera, corners, aspect);
    if (extent.behind) {
      camera.distance *= 1.5;
      continue;
    }
    const glm::dvec2 middle = (extent.low + extent.high) * 0.5;
    const glm::dvec2 half = (extent.high - extent.low) * 0.5;
    const double metersY = camera.distance * std::tan(camera.fieldOfViewY * 0.5);
    const glm::mat4 view = render::viewMatrix(camera);
    const glm::dvec3 right(view[0][0], view[1][0], view[2][0]);
    const glm::dvec3 up(view[0][1], view[1][1], view[2][1]);
    camera.target += right * (middle.x * metersY * aspect) + up * (middle.y * metersY);
    camera.distance *= std::clamp(std::max(half.x, half.y) / kFilled, 0.3, 3.0);
  }
}

}  // namespace ck::cli

#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <vector>

#include "core/export/targets/export_target.h"

namespace ck {

// The target "playcanvas": NAME.vat, version 1 of the vertex animation textures of PlayCanvas,
// which its own scripts/esm/vat plays (docs/export.md). It holds the posed vertices of all frames,
// so morphs and all influences of the bake's source are in it.

// A clip as frames of the texture. A ping-pong clip is stored there and back.
struct PlayCanvasClip {
  int firstFrame = 0;
  int intervals = 1;     // stored frames - 1; the last frame is the pose at the end
  double seconds = 1.0;  // of all intervals, > 0
};

// Vertices are those of all meshes, one mesh after the other, in the file's order.
struct PlayCanvasTexture {
  int vertexCount = 0;
  int frameCount = 0;                 // of all clips
  int width = 1;                      // a power of two, at most 4096
  int height = 1;                     // at most 4096
  std::vector<PlayCanvasClip> clips;  // as in the atlas
  // The box of all positions of all frames, in model space, in metres. No side is 0.
  glm::dvec3 low{0.0};
  glm::dvec3 high{1.0};
  // Four numbers a texel, width * height texels. Frame f of vertex v is texel v * frameCount + f:
  // x, y, z in 65535ths of the box, and an octahedral normal of two bytes.
  std::vector<std::uint16_t> texels;
  std::vector<std::uint32_t> indices;  // 3 per triangle; triangles that joints mirror are turned
};

// Frames are those of the bake, at most 120 a second, or 60 where that is more than 32 MB. If
// vertices times frames are more than 4096 x 4096, the clips with the most frames a second get
// fewer. Fails with LimitExceeded if that leaves less than 10, with InvalidInput if there are no
// vertices, and with Cancelled.
Result<PlayCanvasTexture> playCanvasTexture(const Character& character, const Atlas& atlas,
                                            const JobContext& job);

Result<std::vector<TargetFile>> playCanvasFiles(const TargetInput& input, const JobContext& job);
std::vector<std::string> playCanvasLosses(const TargetInput& input);
Result<ErrorFigure> playCanvasShown(const TargetInput& input, const JobContext& job);

}  // namespace ck

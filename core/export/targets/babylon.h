#pragma once

#include <vector>

#include "core/export/targets/export_target.h"

namespace ck {

// The target "babylon": a crowd for Babylon.js and its BakedVertexAnimationManager, which reads one
// row of skin matrices a frame from a float texture (docs/export.md). The manager takes whole rows
// and blends none, so the atlas is sampled anew at a rate of its own: 120 rows a second, and fewer
// where the texture would get large.

// A clip as rows of the texture. Rows are shown in a cycle, which for a ping-pong clip goes there
// and back. Row `from` has the pose at the start of the cycle; the others have those at the middles
// of `to` - `from` equal parts of it.
struct BabylonClip {
  int from = 0;
  int to = 1;  // > from
  // The rate that the manager needs: it counts `from` as a frame of every pass, and shows it in the
  // first one only. With this rate a pass lasts exactly a cycle.
  double framesPerSecond = 60.0;
};

// The texture: RGBA with floats, (bones + 1) * 4 texels wide; texel 4 * bone + c of a row is column
// c of a skin matrix (model space -> model space). The last bone is the identity.
struct BabylonTexture {
  int bones = 0;                // that Babylon's loader makes of glbBytes()
  double rowsPerSecond = 60.0;  // about; a clip has a whole number of rows
  int width = 0;
  int height = 0;
  std::vector<BabylonClip> clips;  // as in the atlas
  std::vector<float> texels;       // top row first
};

// Fails with LimitExceeded where a side has more than 4096 texels, and with Cancelled. Long clips
// get fewer rows a second before that.
Result<BabylonTexture> babylonTexture(const Atlas& atlas, const JobContext& job);

Result<std::vector<TargetFile>> babylonFiles(const TargetInput& input, const JobContext& job);
std::vector<std::string> babylonLosses(const TargetInput& input);
// As crowd.js plays it: every pass after the first one.
Result<ErrorFigure> babylonShown(const TargetInput& input, const JobContext& job);

}  // namespace ck

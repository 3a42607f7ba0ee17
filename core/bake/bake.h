#pragma once

#include "core/atlas/atlas.h"
#include "core/bake/bake_settings.h"
#include "core/bake/components.h"
#include "core/base/job.h"

namespace ck {

// The cost of a bake, computed without baking. If the encoding can leave components out, every
// frame is sampled, because the measured loss decides which components are stored.
struct BakeCost {
  struct ClipCost {
    std::string name;        // in the atlas
    std::string sourceName;  // in the file
    int frames = 0;          // stored frames, both of every step frame included
    int stepFrames = 0;      // moments that are stored twice (docs/techniques.md 1.6)
    std::size_t bytes = 0;
  };
  std::vector<ClipCost> clips;
  int width = 0;
  int height = 0;
  std::size_t bytes = 0;        // of the whole texture
  std::size_t texels = 0;       // width * height
  double unusedShare = 0.0;     // share of texels without a pose, in [0, 1]
  int fetchesNearest = 0;       // texel fetches per vertex without interpolation
  int fetchesInterpolated = 0;  // the same with interpolation
  int joints = 0;
  int jointsThatFit = 0;  // number of joints that would fit into this texture with these frames
  Encoding encoding = Encoding::P16;
  ChosenComponents components;
};
// Fails as bake() does.
Result<BakeCost> bakeCost(const Character& character, const BakeSettings& settings,
                          JobContext job = {});

// Number of moments of a clip under the settings, >= 2, with the duplicated end frame. Without a
// rate or a count, frames are the clip's keys. A key interval gets several frames only where joints
// turn so far, or cubic tracks bend so much, that interpolation would show an error.
int frameCountFor(const Rig& rig, const Clip& clip, Seam seam, const BakeSettings& settings);

struct BakeResult {
  Atlas atlas;
  // The stored components and the loss of each choice. If the encoding stores all components,
  // the loss of `trs` is that of its pose form and the others are unknown.
  ChosenComponents components;
  Notes notes;  // InfluencesLimited, EncodingChosen, ScaleDropped, OffKeyGrid, ResampledToTile, ...
};

// Samples the clips, encodes every pose and lays out the frames. The result does not depend on the
// number of threads. Fails with InvalidInput (unknown clip, no skin), LimitExceeded (the message
// says what would fit) and Cancelled.
Result<BakeResult> bake(const Character& character, const BakeSettings& settings,
                        JobContext job = {});

}  // namespace ck

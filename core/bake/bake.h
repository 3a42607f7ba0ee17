#pragma once

#include "core/atlas/atlas.h"
#include "core/bake/bake_settings.h"
#include "core/bake/components.h"
#include "core/base/job.h"

namespace ck {

// What a bake would cost, known before it. Encodings that can leave components out sample every
// frame for it, because what that loses decides what is stored.
struct BakeCost {
  struct ClipCost {
    std::string name;        // in the atlas
    std::string sourceName;  // in the file
    int frames = 0;
    std::size_t bytes = 0;
  };
  std::vector<ClipCost> clips;
  int width = 0;
  int height = 0;
  std::size_t bytes = 0;        // of the whole texture
  std::size_t texels = 0;       // width * height
  double unusedShare = 0.0;     // of the texels, in [0, 1]: those that hold no pose
  int fetchesNearest = 0;       // texel fetches per vertex without interpolation
  int fetchesInterpolated = 0;  // and with it
  int joints = 0;
  int jointsThatFit = 0;  // as many joints would fit these frames in such a texture
  ChosenComponents components;
};
Result<BakeCost> bakeCost(const Character& character, const BakeSettings& settings);

// Frames of a clip under the settings, the duplicated end frame included; >= 2. Without a rate or
// count these are the clip's keys, and several per key interval only where joints turn so far
// between two keys that interpolating frames would leave their arc visibly, or where splines bend.
int frameCountFor(const Rig& rig, const Clip& clip, Seam seam, const BakeSettings& settings);

struct BakeResult {
  Atlas atlas;
  // What is stored of a pose, and what the choices lose. For encodings that leave nothing out
  // `trsMm` of the loss is that of the form and the others are not known.
  ChosenComponents components;
  Notes notes;  // InfluencesLimited, ScaleDropped, OffKeyGrid, ResampledToTile, ...
};

// Samples the clips, encodes every pose and lays the frames out. The result is the same on any
// number of threads. Fails with InvalidInput (unknown clip, no skin), LimitExceeded (says what
// would fit) and Cancelled.
Result<BakeResult> bake(const Character& character, const BakeSettings& settings,
                        JobContext job = {});

}  // namespace ck

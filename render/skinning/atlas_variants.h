#pragma once

#include <string>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/view/pose_settings.h"

namespace ck::render {

// Texel fetches per influence of the method palette: the rows of a matrix.
inline constexpr int kPaletteFetches = 3;

// One way of the method atlas to read an atlas.
struct AtlasVariant {
  Sampling sampling = Sampling::Interpolated;
  int influences = 4;  // 1, 2 or 4; their weights are brought to a sum of 1
  bool blend = false;  // actors fade to a second clip: both are skinned and mixed in the world
  bool operator==(const AtlasVariant&) const = default;
};

// Texel fetches of poses in the vertex stage, for a vertex with as many influences and an actor
// that fades where `blend`; empty influences and actors that do not fade cost less.
int fetchesPerVertex(const Atlas& atlas, const AtlasVariant& variant);
// The same by any method.
int fetchesPerVertex(Method method, const Atlas& atlas, const AtlasVariant& variant);

// Why an atlas cannot be read so: one sentence that says what would do; empty where it can.
std::string whyNotSampled(const Atlas& atlas, const AtlasVariant& variant);

// A variant, what it costs, and why the atlas does not allow it (empty where it does).
struct VariantOffer {
  AtlasVariant variant;
  std::string name;  // "interpolated, 4 influences, two clips"
  int fetchesPerVertex = 0;
  std::string refusal;
};

// Every variant of the method atlas, the dearest first: all samplings by 4, 2 and 1 influences,
// with and without blending.
std::vector<VariantOffer> atlasVariants(const Atlas& atlas);

}  // namespace ck::render

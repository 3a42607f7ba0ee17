#pragma once

#include <string>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/view/pose_settings.h"

namespace ck::render {

// Texel fetches per influence of the method palette: the rows of a matrix.
inline constexpr int kPaletteFetches = 3;

// A way of the method atlas to read an atlas.
struct AtlasVariant {
  Sampling sampling = Sampling::Interpolated;
  int influences = 4;  // 1, 2 or 4; the weights are renormalised
  bool blend = false;  // actors fade to a second clip: both are skinned and blended in the world
  bool operator==(const AtlasVariant&) const = default;
};

// Texel fetches for poses in the vertex stage, for a vertex with all influences and, with `blend`,
// an actor that fades. Unused influences and actors that do not fade cost less.
int fetchesPerVertex(const Atlas& atlas, const AtlasVariant& variant);
// As above, for any method.
int fetchesPerVertex(Method method, const Atlas& atlas, const AtlasVariant& variant);

// Why an atlas does not support the variant: one sentence that names an alternative, or empty if it
// does.
std::string whyNotSampled(const Atlas& atlas, const AtlasVariant& variant);

// A variant, its cost, and why the atlas does not support it (empty if it does).
struct VariantOffer {
  AtlasVariant variant;
  std::string name;  // "interpolated, 4 influences, two clips"
  int fetchesPerVertex = 0;
  std::string refusal;
};

// All variants of the method atlas, the most expensive first: all samplings with 4, 2 and 1
// influences, with and without blending.
std::vector<VariantOffer> atlasVariants(const Atlas& atlas);

// Why a method cannot draw an atlas of this encoding: one sentence that names an alternative, or
// empty if it can.
std::string whyNotDrawn(Method method, Encoding encoding);

// Why a method does not support this sampling, for any atlas: one sentence, or empty if it does.
std::string whyNotSampled(Method method, Sampling sampling);

// Logs the methods that cannot draw this encoding.
void logRefusals(Encoding encoding);

}  // namespace ck::render

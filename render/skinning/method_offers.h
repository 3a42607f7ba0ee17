#pragma once

#include <string>
#include <vector>

#include "core/atlas/encoding.h"
#include "core/project/project.h"
#include "render/skinning/atlas_variants.h"

namespace ck::render {

// Why a method cannot draw an atlas of this encoding: one sentence that says what would do; empty
// where it can. All methods draw all encodings but matrix, which blends whole matrices alone.
std::string whyNotDrawn(Method method, Encoding encoding);

// Why a method cannot read an atlas so, whatever the atlas: one sentence, or empty.
std::string whyNotSampled(Method method, Sampling sampling);

// A method, and why it cannot be used (empty where it can).
struct MethodOffer {
  Method method = Method::Palette;
  std::string refusal;
};

// Every method that a project can ask for, in the order of its lists, for an atlas of this
// encoding.
std::vector<MethodOffer> methodOffers(Encoding encoding);

// Tells the log of those that cannot be used.
void logRefusals(Encoding encoding);

}  // namespace ck::render

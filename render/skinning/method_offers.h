#pragma once

#include <string>

#include "core/atlas/encoding.h"
#include "core/skinning/method.h"
#include "render/skinning/atlas_variants.h"

namespace ck::render {

// Why a method cannot draw an atlas of this encoding: one sentence that names an alternative, or
// empty if it can.
std::string whyNotDrawn(Method method, Encoding encoding);

// Why a method does not support this sampling, for any atlas: one sentence, or empty if it does.
std::string whyNotSampled(Method method, Sampling sampling);

// Logs the methods that cannot draw this encoding.
void logRefusals(Encoding encoding);

}  // namespace ck::render

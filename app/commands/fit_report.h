#pragma once

#include <span>
#include <string>

#include "app/options/json.h"
#include "core/import/clip_fit.h"

namespace ck::cli {

// How the further files of an import were fitted to the rig, one entry per file: axes, unit, what
// became of the rests, and every joint of the file with its partner, the rule that found it and the
// degrees between the rests.
Json fitsJson(std::span<const ClipFitReport> reports, const Rig& rig);

// The same in a few lines per file: how many joints were matched by which rule, and the names of
// those that move and were not.
std::string fitsText(std::span<const ClipFitReport> reports);

}  // namespace ck::cli

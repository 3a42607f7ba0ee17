#pragma once

#include <string>
#include <vector>

#include "app/commands/cast_stage.h"
#include "core/bake/bake_error.h"

namespace ck::cli {

// How far the bakes of a stage are from their sources, one for each of CastStage::members. Those
// that share an atlas are measured once. Fails with the title of the character in front.
Result<std::vector<BakeError>> measureCastErrors(const CastStage& stage, const JobContext& job);

// A line for each: "  doe: 0.123 mm at most, 99 % below 0.045, worst in run at hoof_l (0.250 s);
// ...".
std::string castErrorsText(const CastStage& stage, const std::vector<BakeError>& errors);

}  // namespace ck::cli

#pragma once

#include <string>
#include <vector>

#include "app/commands/cast_stage.h"
#include "core/bake/bake_error.h"

namespace ck::cli {

// Measures the bakes of a stage, one entry per CastStage::members. Shared atlases are measured
// once. Errors name the character's title.
Result<std::vector<BakeError>> measureCastErrors(const CastStage& stage, const JobContext& job);

// One line per character: "  doe: 0.123 mm at most, 99 % below 0.045, worst in run at hoof_l (0.250
// s); ...".
std::string castErrorsText(const CastStage& stage, const std::vector<BakeError>& errors);

}  // namespace ck::cli

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/bake/bake_error.h"
#include "core/base/result.h"

namespace ck {

// The error figures that a sidecar states; nothing where it states none. The text must be that of
// a sidecar that sidecarFromText accepts. InvalidInput where figures are there but incomplete.
Result<std::optional<BakeError>> statedError(std::string_view sidecarText);

// The first figure that differs from what was measured by more than rounding (a millionth), as
// "error.maxMm is 0.1, but 0.42 was measured"; empty where none does.
std::string firstFalseFigure(const BakeError& stated, const BakeError& measured);

}  // namespace ck

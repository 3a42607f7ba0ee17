#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/bake/bake_error.h"
#include "core/base/result.h"

namespace ck {

// The error figures in a sidecar; nothing if it has none. The text must be accepted by
// sidecarFromText(). Fails with InvalidInput if the figures are incomplete.
Result<std::optional<BakeError>> statedError(std::string_view sidecarText);

// The first figure that differs from the measured one by more than 1e-6, as "error.maxMm is 0.1,
// but 0.42 was measured"; empty if there is none.
std::string firstFalseFigure(const BakeError& stated, const BakeError& measured);

}  // namespace ck

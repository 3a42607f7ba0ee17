#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/atlas/error_figures.h"
#include "core/base/json_fields.h"
#include "core/base/result.h"

namespace ck {

// The error of a bake in JSON: the members "error" and "errorDirect" of sidecars and of the
// documents of `kiln` (docs/atlas-json.md). Every place that states an error uses these functions.

// Writes both members. `error` is only read.
void writeError(JsonFields& root, const BakeError& error);

// An object with both members.
std::string errorText(const BakeError& error);

// The error figures in a sidecar; nothing if it has none. The text must be accepted by
// sidecarFromText(). Fails with InvalidInput if the figures are incomplete or contradict each
// other.
Result<std::optional<BakeError>> statedError(std::string_view sidecarText);

// The first figure that differs from the measured one by more than 1e-6, as "error.maxMm is 0.1,
// but 0.42 was measured"; empty if there is none. Figures of the screen are compared at the view of
// `stated`.
std::string firstFalseFigure(const BakeError& stated, const BakeError& measured);

}  // namespace ck

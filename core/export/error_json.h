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

// An error that a file states.
struct StatedError {
  BakeError error;
  // False for files that state the shell and the largest error at vertices only. They are of
  // versions that measured fewer moments and fewer vertices, so their figures are too small and
  // must not be compared with measured ones. All other members of `error` are then 0.
  bool isComplete = true;
};

// The error figures in a sidecar; nothing if it has none. The text must be accepted by
// sidecarFromText(). Fails with InvalidInput if the figures are incomplete or contradict each
// other.
Result<std::optional<StatedError>> statedError(std::string_view sidecarText);

// The first figure that differs from the measured one by more than 1e-6, as "error.maxMm is 0.1,
// but 0.42 was measured"; empty if there is none. Figures of the screen are compared at the view of
// `stated`. Only for complete figures.
std::string firstFalseFigure(const BakeError& stated, const BakeError& measured);

}  // namespace ck

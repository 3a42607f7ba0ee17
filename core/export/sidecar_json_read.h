#pragma once

#include <string_view>

#include "core/base/result.h"
#include "core/export/sidecar_json.h"

namespace ck {

// Parses a sidecar. Fails with InvalidInput (what is missing or invalid) and Unsupported (a newer
// version). The returned atlas has no texels and has not been checked as a whole.
Result<Sidecar> sidecarFromText(std::string_view text);

// Checks that a text contains all data that this program would write for its atlas, with equal
// values. This includes derived fields like rows and formats, which other readers use. Error
// figures are ignored. The atlas must have passed checkAtlas().
Result<void> checkRestated(std::string_view text, const Sidecar& sidecar);

}  // namespace ck

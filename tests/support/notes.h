#pragma once

#include <string_view>

#include "core/base/result.h"

namespace ck::test {

// Whether there is a note of that code whose message holds `text`.
bool hasNote(const Notes& notes, std::string_view code, std::string_view text = {});

}  // namespace ck::test

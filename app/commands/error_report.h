#pragma once

#include <string>

#include "app/options/json.h"
#include "core/atlas/error_figures.h"

namespace ck::cli {

// Both readings: an object with the members "error" and "errorDirect" (core/export/error_json.h).
Json errorJson(const BakeError& error);

// The same as text: a line per reading and figure, indented by two spaces.
std::string errorLines(const BakeError& error);

}  // namespace ck::cli

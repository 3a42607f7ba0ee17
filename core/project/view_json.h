#pragma once

#include <string>

#include "core/base/json_fields.h"
#include "core/view/view_settings.h"

namespace ck {

// The value of the key "view" of a project file: an object with the saved settings.
std::string viewJson(const ViewSettings& view);
void readView(JsonFields fields, ViewSettings& view);

}  // namespace ck

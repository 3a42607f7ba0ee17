#pragma once

#include <string>

#include "core/project/json_fields.h"
#include "core/view/view_settings.h"

namespace ck {

// The key "view" of a project file: an object with what the file keeps of the settings.
std::string viewJson(const ViewSettings& view);
void readView(JsonFields fields, ViewSettings& view);

}  // namespace ck

#pragma once

#include <vector>

#include "core/project/cast_export.h"

namespace ck::ui {

class Session;

// The atlases of the project's characters that are baked; a variant has none of its own.
std::vector<CastAtlas> atlasesToExport(const Project& project, const Session& session);

}  // namespace ck::ui

#pragma once

#include <QString>
#include <vector>

#include "core/stage/cast_export.h"

namespace ck::ui {

class Session;
class TaskRunner;

// The atlases of the project's characters that are baked; a variant has none of its own.
std::vector<CastAtlas> atlasesToExport(const Project& project, const Session& session);

// The characters whose atlas is missing or is not that of their settings, although it could be.
std::vector<int> charactersToBake(const Project& project, const Session& session);

// Writes the atlas of the first character next to the project file, so that opening the project
// needs no bake. Does nothing while the atlas is not that of the settings.
void keepAtlasBeside(const Session& session, TaskRunner& tasks, const QString& projectPath);

}  // namespace ck::ui

#pragma once

#include <QStringList>
#include <vector>

#include "core/stage/pipeline.h"

namespace ck::ui {

class Document;

// Makes the project that an imported rig starts (newProjectFor()), seen as the one before it. That
// is an undo step where the one before has no file. Else the document is a new one without a file,
// so that saving it does not replace the other project.
void startProject(Document& document, const Character& rig, const ImportInputs& inputs);

// The sources of files that the user has chosen, by their absolute paths.
std::vector<SourceFile> sourcesOf(const QStringList& paths);

}  // namespace ck::ui

#pragma once

#include <QString>
#include <QStringList>

#include "core/import/rig_format.h"

class QMimeData;

namespace ck::ui {

// The kinds of files that the editor reads, by the endings of their names.
bool isProject(const QString& path);
bool isPlacement(const QString& path);  // actors: JSON or CSV
const RigFormat* rigFormatOf(const QString& path);

// Whether a file is one of the bundled samples.
bool isSample(const QString& path);

// "*.gltf *.glb ..."
QString rigPatterns();
// For file dialogs.
QString rigFilter();
QString projectFilter();
QString placementFilter();

// The files that a drop would read: of those that are dragged all rigs, or the first project or
// list of actors, whichever comes first. Empty if none can be read.
QStringList droppedFiles(const QMimeData& data);
// The text over the view during a drag: "hero.glb and 2 more", and which files are left out.
QString dropHeading(const QMimeData& data);
// Why nothing of what is dragged can be read; empty if something can, or if no files are dragged.
QString whyNotDropped(const QMimeData& data);

}  // namespace ck::ui

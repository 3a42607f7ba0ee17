#include "ui/files/file_kinds.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QMimeData>
#include <QUrl>
#include <algorithm>

#include "core/project/actors/placement.h"
#include "core/project/characters.h"
#include "core/stage/pipeline.h"
#include "core/system/files.h"
#include "ui/document/text.h"

namespace ck::ui {
namespace {

QString tr(const char* text) {
  return QCoreApplication::translate("ProjectFiles", text);
}

bool isReadable(const QString& path) {
  return isProject(path) || isPlacement(path) || rigFormatOf(path) != nullptr;
}

QStringList localFiles(const QMimeData& data) {
  QStringList paths;
  for (const QUrl& url : data.urls()) {
    if (url.isLocalFile()) paths << url.toLocalFile();
  }
  return paths;
}

}  // namespace

bool isProject(const QString& path) {
  return isProjectPath(utf8Of(path));
}

bool isPlacement(const QString& path) {
  return isPlacementPath(utf8Of(path));
}

const RigFormat* rigFormatOf(const QString& path) {
  return rigFormatByEnding(pathFromText(utf8Of(path)));
}

bool isSample(const QString& path) {
  const auto samples = findSample();
  if (samples.empty()) return false;
  const QString folder = QFileInfo(textOf(pathText(samples.parent_path()))).canonicalFilePath();
  return QFileInfo(path).canonicalFilePath().startsWith(folder + QLatin1Char('/'));
}

QString rigPatterns() {
  QStringList patterns;
  for (const RigFormat& format : kRigFormats) patterns << "*." + textOf(format.ending);
  return patterns.join(QLatin1Char(' '));
}

QString rigFilter() {
  return tr("Rigs and clips (%1);;All files (*)").arg(rigPatterns());
}

QString projectFilter() {
  return tr("Crowdkiln projects (*.crowd)");
}

QString placementFilter() {
  return tr("Actors (*%1 *.csv);;All files (*)").arg(textOf(kPlacementJson));
}

QStringList droppedFiles(const QMimeData& data) {
  QStringList paths = localFiles(data);
  paths.removeIf([](const QString& path) { return !isReadable(path); });
  if (paths.isEmpty()) return {};
  if (!rigFormatOf(paths.first())) return {paths.first()};
  paths.removeIf([](const QString& path) { return !rigFormatOf(path); });
  return paths;
}

QString dropHeading(const QMimeData& data) {
  const QStringList paths = droppedFiles(data);
  if (paths.isEmpty()) return {};
  const QString first = QFileInfo(paths.first()).fileName();
  const auto more = paths.size() - 1;
  const QString heading = more == 0 ? first : tr("%1 and %2 more").arg(first).arg(more);
  const auto others = data.urls().size() - paths.size();
  return others == 0 ? heading
                     : tr("%1 (without %2)")
                           .arg(heading, counted(qlonglong(others), tr("other"), tr("others")));
}

QString whyNotDropped(const QMimeData& data) {
  if (data.urls().isEmpty() || !droppedFiles(data).isEmpty()) return {};
  const QStringList paths = localFiles(data);
  if (paths.isEmpty()) return tr("Only files of this computer can be dropped");
  const QString first = QFileInfo(paths.first()).fileName();
  if (QFileInfo(paths.first()).isDir()) {
    return tr("%1 is a folder: drop the files that are in it").arg(first);
  }
  return tr("%1 is no rig, project or list of actors").arg(first);
}

}  // namespace ck::ui

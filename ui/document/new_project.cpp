#include "ui/document/new_project.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <utility>

#include "ui/document/document.h"
#include "ui/document/text.h"

namespace ck::ui {

void startProject(Document& document, const Character& rig, const ImportInputs& inputs) {
  const auto start = [&](Project& project) {
    Project fresh = newProjectFor(rig, inputs.sources);
    fresh.characters.front().import = inputs.settings;
    fresh.view = project.view;
    fresh.playbackSpeed = project.playbackSpeed;
    fresh.desk = project.desk;
    project = std::move(fresh);
  };
  if (document.readFrom().isEmpty()) {
    const QString text = QCoreApplication::translate("Session", "Import %1").arg(textOf(rig.name));
    return document.edit(text, start);
  }
  Project project = document.project();
  start(project);
  project.desk = {};
  document.replace(std::move(project), {});
  document.markModified();
}

std::vector<SourceFile> sourcesOf(const QStringList& paths) {
  std::vector<SourceFile> sources;
  for (const QString& path : paths) {
    sources.push_back({utf8Of(QFileInfo(path).absoluteFilePath())});
  }
  return sources;
}

}  // namespace ck::ui

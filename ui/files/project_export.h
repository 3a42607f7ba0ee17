#pragma once

#include <QObject>
#include <QString>

#include "core/export/set/atlas_export.h"

class QWidget;

namespace ck::ui {

class Document;
class Session;
class TaskRunner;

// Exports the project of a window: asks where and what, bakes where that is needed, and writes in
// the background.
class ProjectExport : public QObject {
  Q_OBJECT

 public:
  // Becomes a child of the window. All other arguments must outlive it.
  ProjectExport(QWidget& window, Document& document, TaskRunner& tasks, Session& session);

  void ask();
  // Writes the atlas of every character, as exportCast() does, and the actors beside them. Shows
  // the steps to play them where an engine is among the targets.
  void exportTo(const QString& folder, const QString& name, const ExportSettings& settings);

 signals:
  void refused(const QString& why);  // there is nothing to export
  void failed(const ck::Error& error);
  void done(const QString& text);

 private:
  QString whyNotExported() const;  // empty if something can be
  // As exportTo(), after a bake of every character whose atlas is not that of its settings.
  void bakeAndExport(const QString& folder, const QString& name, const ExportSettings& settings);

  QWidget& window_;
  Document& document_;
  TaskRunner& tasks_;
  Session& session_;
  QMetaObject::Connection afterBake_;  // exports when the bake is ready
};

}  // namespace ck::ui

#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <functional>
#include <optional>

#include "core/base/result.h"
#include "core/project/project.h"
#include "ui/document/task_runner.h"

namespace ck::ui {

class Document;
class ProjectGuard;

// Writes the open project to its file. The file of a large crowd is written in the background: a
// slow disk does not hold the window. One is written at a time.
class ProjectSaver : public QObject {
  Q_OBJECT

 public:
  using Done = std::function<void(const Result<void>& written)>;

  // All arguments must outlive it.
  ProjectSaver(Document& document, ProjectGuard& guard, QObject* parent);

  // Writes `project`, which is the document's with what is saved beside it, to the absolute `path`,
  // which becomes the document's file. Edits that are made meanwhile are changes to it. `done` is
  // called before this returns, or later for a large crowd.
  void save(Project project, const QString& path, Done done);
  // Waits for what is being written. `done` has been called then.
  void finish();

 private:
  // A hash as ProjectWatch::hashOf(), of what was written.
  struct Written {
    Result<void> result;
    std::optional<std::uint64_t> seen;
  };
  static Written write(const Project& project, const QString& path);
  void take(const Written& written, const Project& saved, const QString& path, const Done& done);

  Document& document_;
  ProjectGuard& guard_;
  TaskRunner task_;
};

}  // namespace ck::ui

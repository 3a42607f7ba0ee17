#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>
#include <cstdint>
#include <map>
#include <set>

#include "ui/document/task_runner.h"

namespace ck {
struct Project;
}

namespace ck::ui {

class Document;
class Session;

// FileFacts::sourceHashes for a save: of characters as they were read, of props as they are now.
std::map<std::string, std::uint64_t> sourceHashesOf(const Project& project, const Session& session);

// Reads the sources of characters and props again when their files change. Folders are watched as
// well, because a file that is replaced by another one is not watched any more. A file whose bytes
// are the same (hashOfSource()) is not read; one that cannot be read leaves everything as it was,
// and is watched on.
class SourceWatch : public QObject {
  Q_OBJECT

 public:
  SourceWatch(const Document& document, Session& session, QObject* parent = nullptr);

  bool isOn() const { return on_; }
  void setOn(bool on);  // initially on

 signals:
  // The file is read again.
  void changed(const QString& path);

 private:
  void watch();
  void compare();
  void take(const std::map<std::string, std::uint64_t>& now);

  const Document& document_;
  Session& session_;
  QFileSystemWatcher watcher_;
  QTimer pause_;  // programs write files in several steps
  TaskRunner tasks_;
  std::map<std::string, std::uint64_t> known_;  // the bytes that were read or refused last
  std::set<std::string> missing_;               // sources that could not be read
  bool on_ = true;
};

}  // namespace ck::ui

#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ui/document/task_runner.h"

namespace ck {
struct Project;
}

namespace ck::ui {

class Document;
class Session;

// FileFacts::sourceHashes for a save: of characters as they were read, of props as they are now.
std::map<std::string, std::uint64_t> sourceHashesOf(const Project& project, const Session& session);

// Reads the sources of characters and props again when their files change: the files themselves,
// and of a `.gltf` the buffers and pictures that it names (companionsOf()); those of other formats
// and the sources of projects that are characters are not watched. Folders are watched as well,
// because a file that is replaced by another one is not watched any more; of a folder that is not
// there the nearest one above. While a source is missing it is also looked for now and then. A file
// whose bytes are the same (hashOfSource()) is not read; one that cannot be read leaves everything
// as it was, and is watched on.
class SourceWatch : public QObject {
  Q_OBJECT

 public:
  SourceWatch(const Document& document, Session& session, QObject* parent = nullptr);

  bool isOn() const { return on_; }
  // Initially on. Files that changed while it was off are read when it is on again.
  void setOn(bool on);

 signals:
  // The file is read again.
  void changed(const QString& path);
  // The file was there and is gone.
  void gone(const QString& path);

 private:
  // The facts that were seen of a source that is there.
  struct Look {
    std::uint64_t hash = 0;
    // Sizes and times of its files; empty where they may not tell the next change.
    std::string stamp;
    std::vector<std::string> companions;
  };
  // Looks at sources, by path; none for a source that is missing.
  using Looks = std::map<std::string, std::optional<Look>>;
  static std::optional<Look> lookAt(const std::string& path, const std::optional<Look>& before);

  void watch();
  void compare();
  void take(const Looks& now);

  const Document& document_;
  Session& session_;
  QFileSystemWatcher watcher_;
  QTimer pause_;   // programs write files in several steps
  QTimer search_;  // runs while a source is missing
  Looks looks_;
  TaskRunner tasks_;
  std::map<std::string, std::uint64_t> known_;  // the bytes that were read or refused last
  bool on_ = true;
};

}  // namespace ck::ui

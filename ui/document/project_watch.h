#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>
#include <cstdint>
#include <optional>

namespace ck::ui {

// Watches the file of the open project, and knows whether it holds what this window has read or
// written last. Contents are compared by the hash of their bytes.
class ProjectWatch : public QObject {
  Q_OBJECT

 public:
  explicit ProjectWatch(QObject* parent = nullptr);

  // The hash of the bytes of a file; nothing if it cannot be read.
  static std::optional<std::uint64_t> hashOf(const QString& path);

  // Watches this file from now on. `known` is hashOf() what this window has read or written there.
  // With an empty path nothing is watched.
  void follow(const QString& path, std::optional<std::uint64_t> known);
  // While it rests it says nothing; following a file wakes it.
  void setResting(bool rests);
  // Whether the file holds other bytes than those that are known. Reads it. False if it is not
  // there.
  bool isForeign() const;
  // The bytes that are there now become the known ones.
  void accept();

 signals:
  // The file holds other bytes than those that are known; once for each content.
  void changed();
  // Something in the folder of the file has changed.
  void folderTouched();

 private:
  void look();
  void watch();

  QString path_;
  std::optional<std::uint64_t> known_;
  std::optional<std::uint64_t> told_;
  bool rests_ = false;
  QFileSystemWatcher watcher_;
  QTimer pause_;  // programs write files in several steps
};

}  // namespace ck::ui

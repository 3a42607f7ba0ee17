#pragma once

#include <QLockFile>
#include <QString>
#include <memory>

namespace ck::ui {

// The mark of a window beside the project that it has open: `.NAME.crowd.lock`. That of a program
// that has ended does not count.
class ProjectLock {
 public:
  // Marks this project instead of the one before. False if another window has it open; then this
  // window marks none. Where no file can be written there is no mark, and the result is true.
  bool take(const QString& project);
  void release();
  // Whether a window has this project open, this one included.
  static bool isTaken(const QString& project);

 private:
  QString project_;
  std::unique_ptr<QLockFile> lock_;
};

}  // namespace ck::ui

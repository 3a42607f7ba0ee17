#pragma once

#include <QLockFile>
#include <QString>
#include <memory>

namespace ck::ui {

// The mark of a window beside the project that it has open: `.NAME.crowd.lock`, and
// `.NAME.crowd.lock2` of a window that has opened it although another one has. The mark of a
// program that has ended does not count.
class ProjectLock {
 public:
  // Marks this project instead of the one before. False if another window has it open; then this
  // window marks none. Where no file can be written there is no mark, and the result is true.
  bool take(const QString& project);
  // The same beside the mark of one other window. A third window marks nothing.
  void takeBeside(const QString& project);
  void release();
  // Whether another window has the marked project open, too.
  bool isShared() const;
  // Whether a window has this project open, this one included.
  static bool isTaken(const QString& project);

 private:
  bool tryMark(const QString& project, int number);

  QString project_;
  int number_ = 0;
  std::unique_ptr<QLockFile> lock_;
};

}  // namespace ck::ui

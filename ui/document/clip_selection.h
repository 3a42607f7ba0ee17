#pragma once

#include <QObject>
#include <vector>

namespace ck::ui {

// The selected clips, shared by the clip list and the fields that edit clips. Not part of the
// project and not undoable.
class ClipSelection : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  // Indices into Project::clips, ascending and unique.
  const std::vector<int>& clips() const { return clips_; }
  void set(std::vector<int> clips);

 signals:
  void changed();

 private:
  std::vector<int> clips_;
};

}  // namespace ck::ui

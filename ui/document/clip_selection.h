#pragma once

#include <QObject>
#include <vector>

namespace ck::ui {

// Which clips are selected: one set for the list of clips and the fields that edit them. Not part
// of the project and not undoable.
class ClipSelection : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  // Indices into Project::clips, ascending, each once.
  const std::vector<int>& clips() const { return clips_; }
  void set(std::vector<int> clips);

 signals:
  void changed();

 private:
  std::vector<int> clips_;
};

}  // namespace ck::ui

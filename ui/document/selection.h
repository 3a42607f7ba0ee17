#pragma once

#include <QObject>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "core/project/project.h"

namespace ck::ui {

class Document;

// Selected parts of the project, by their indices. Not part of the project and not undoable.
class IndexSelection : public QObject {
  Q_OBJECT

 public:
  // Accepts any order and duplicates.
  void set(std::vector<int> indices);

 signals:
  void changed();

 protected:
  using QObject::QObject;

  std::vector<int> indices_;  // ascending and unique
};

// The selected clips, shared by the clip list and the fields that edit clips.
class ClipSelection : public IndexSelection {
 public:
  // Indices into the shown character's clips, ascending and unique.
  const std::vector<int>& clips() const { return indices_; }
};

// The selected actors, shared by table and viewport. After an edit or an undo that changes how many
// actors there are, those stay selected that are at their place as they were. Where actors come
// back that had gone, as by an undo, the selection is what it was before.
class Selection : public IndexSelection {
 public:
  explicit Selection(Document& document, QObject* parent = nullptr);

  // Indices into Project::actors, ascending and unique.
  const std::vector<int>& actors() const { return indices_; }
  bool contains(int actor) const;

  // Accepts any order and duplicates; invalid indices are dropped.
  void set(std::vector<int> actors);
  void add(const std::vector<int>& actors);
  void remove(std::vector<int> actors);
  void toggle(int actor);
  void selectAll() { set(all()); }
  void invert();
  void clear() { set({}); }
  // For edits that give actors other numbers, within Document::edit(): runs `change`, which keeps
  // Desk::selected true, with these actors selected. The actors that are left of them are selected
  // when the edit is done. The project's own desk stays as it was.
  void carry(Project& project, std::vector<int> selected,
             const std::function<void(Project&)>& change);

 private:
  // A selection of actors of which some have gone.
  struct Left {
    ActorList actors;
    std::vector<int> selected;
  };
  std::vector<int> all() const;
  void follow(const Project& before, const Project& now);
  void keep(const ActorList& actors);

  Document& document_;
  std::optional<std::vector<int>> carried_;  // until the edit is done
  std::deque<Left> left_;                    // the latest last
};

}  // namespace ck::ui

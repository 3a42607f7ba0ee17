#pragma once

#include <QObject>
#include <vector>

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

// The selected actors, shared by table and viewport.
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

 private:
  std::vector<int> all() const;

  Document& document_;
};

}  // namespace ck::ui

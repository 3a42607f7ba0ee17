#pragma once

#include <QObject>
#include <vector>

namespace ck::ui {

class Document;

// The selected actors, shared by table and viewport. Not part of the project and not undoable.
class Selection : public QObject {
  Q_OBJECT

 public:
  explicit Selection(Document& document, QObject* parent = nullptr);

  // Indices into Project::actors, ascending and unique.
  const std::vector<int>& actors() const { return actors_; }
  bool contains(int actor) const;

  // Accepts any order and duplicates; invalid indices are dropped.
  void set(std::vector<int> actors);
  void add(const std::vector<int>& actors);
  void remove(std::vector<int> actors);
  void toggle(int actor);
  void selectAll();
  void invert();
  void clear() { set({}); }

 signals:
  void changed();

 private:
  Document& document_;
  std::vector<int> actors_;
};

}  // namespace ck::ui

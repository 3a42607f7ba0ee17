#pragma once

#include <QObject>
#include <QStringList>
#include <glm/glm.hpp>
#include <map>
#include <string>
#include <vector>

#include "core/project/project.h"
#include "render/view/static_scene.h"
#include "ui/document/notice.h"
#include "ui/document/task_runner.h"

namespace ck::ui {

class Document;

// The shapes of the project's props, read in the background whenever the project names a file that
// is not known yet. Props of one file share its shape; one whose file cannot be read keeps its
// place in the project and is not drawn.
class PropSession : public QObject {
  Q_OBJECT

 public:
  // Both must outlive it.
  PropSession(Document& document, TaskRunner& tasks, QObject* parent = nullptr);

  // Those whose shapes are there.
  std::vector<render::PlacedProp> placed() const;
  bool isThere(int prop) const;
  QString problem(int prop) const;  // why its file was refused, or empty

  // Reads meshes; each that can be read is placed there, one beside the other, as an undo step.
  void addFiles(const QStringList& paths, const glm::vec3& place);
  void remove(int prop);

 signals:
  // Another shape, or another place of one.
  void changed();
  void noticed(const ck::ui::Notice& notice);

 private:
  // What came of a file, by its path.
  struct Loaded {
    CharacterPtr shape;  // null until it is there
    QString problem;
  };

  const Loaded* loadedOf(int prop) const;
  void onChanged(const Project& before, const Project& now);
  void forgetUnused();
  void start(const std::string& path);
  void refuse(const std::string& path, const Error& error);
  void placeWanted(const std::string& path);

  Document& document_;
  TaskRunner& tasks_;
  std::map<std::string, Loaded> loaded_;
  std::multimap<std::string, glm::vec3> wanted_;  // to be placed once they are read
};

}  // namespace ck::ui

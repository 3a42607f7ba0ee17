#pragma once

#include <QObject>
#include <QStringList>
#include <glm/glm.hpp>
#include <map>
#include <string>
#include <vector>

#include "core/project/ground_mesh.h"
#include "core/project/project.h"
#include "render/view/static_scene.h"
#include "ui/document/notices.h"
#include "ui/document/task_runner.h"

namespace ck::ui {

class Document;

// The shapes of the project's props, read in the background when the project contains a new file.
// Props of one file share its shape. A prop whose file cannot be read stays in the project and is
// not drawn.
class PropSession : public QObject {
  Q_OBJECT

 public:
  // Both must outlive it.
  PropSession(Document& document, TaskRunner& tasks, QObject* parent = nullptr);

  // The props whose shapes are loaded.
  std::vector<render::PlacedProp> placed() const;
  bool isThere(int prop) const { return of(prop).shape != nullptr; }
  QString problem(int prop) const { return of(prop).problem; }  // of its file, or empty

  // The surface of the prop that is the ground of a crowd of a project, which has the same props or
  // moved ones; null without one, and while its file is not read.
  GroundMeshPtr groundOf(const Project& project, int crowd) const;
  // Puts the dealt actors onto the ground of a project whose props were moved.
  void settle(Project& project) const;

  // Reads meshes and places each that can be read, side by side, starting at `place`. One undo step
  // each.
  void addFiles(const QStringList& paths, const glm::vec3& place);
  void remove(int prop);
  // Reads a file again, if a prop is made from it; the old mesh stays until then.
  void reload(const std::string& path);

 signals:
  // A shape or a prop's transform has changed.
  void changed();
  void noticed(const ck::ui::Notice& notice);

 private:
  // The result for a file, by its path.
  struct Loaded {
    CharacterPtr shape;  // null until it is loaded
    QString problem = {};
    std::vector<glm::vec3> wanted = {};  // places for props to add when it is loaded
  };

  const Loaded& of(int prop) const;
  void onChanged(const Project& before, const Project& now);
  void forgetUnused();
  void read(const std::string& path, const std::vector<glm::vec3>& wanted);
  void refuse(const std::string& path, const Error& error);
  void placeWanted(const std::string& path);

  Document& document_;
  TaskRunner& tasks_;
  std::map<std::string, Loaded> loaded_;
  // A ground with what it was made of.
  struct Ground {
    CharacterPtr shape;
    Prop prop;
    GroundMeshPtr mesh;
  };
  mutable std::map<int, Ground> grounds_;  // that were asked for, by prop
};

}  // namespace ck::ui

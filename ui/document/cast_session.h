#pragma once

#include <QObject>
#include <QStringList>
#include <map>
#include <string>
#include <vector>

#include "core/project/cast.h"
#include "render/view/cast_entry.h"
#include "ui/document/notice.h"
#include "ui/document/task_runner.h"

namespace ck::ui {

class Document;
class Session;

// Where a character of the cast stands.
enum class CastState { Reading, Ready, Refused };

// An atlas of the cast, with what it was baked from.
struct CastAtlas {
  std::string title;
  AtlasPtr atlas;
  std::vector<std::string> files;  // the rig first
  std::vector<ProjectClip> clips;  // with their events
};

// What was made of the project's cast: the further characters and their atlases, read and baked in
// the background whenever the project names a source that is not known yet. Members of one source
// share it, and those of the project's own rig share that. A source that cannot be read leaves the
// others as they are. Characters are numbered as Actor::character is.
class CastSession : public QObject {
  Q_OBJECT

 public:
  // All must outlive it.
  CastSession(Document& document, const Session& own, TaskRunner& tasks, QObject* parent = nullptr);

  // Null until it is there.
  CharacterPtr character(int number) const;
  AtlasPtr atlas(int number) const;
  CastState state(int number) const;
  QString problem(int number) const;  // why it was refused

  // By number, as many as the project has.
  std::vector<CharacterPtr> characters() const;
  std::vector<render::CastEntry> entries() const;
  // One for every source besides the own rig that is there, called like its first member.
  std::vector<CastAtlas> atlases() const;
  // What Actor::clip of such an actor means: of the atlas, of the source before it is baked.
  std::vector<CrowdClip> clips(int number) const;

  // Reads rigs or projects, one character each; each that can be read joins the cast with its share
  // of the actors, as one undo step.
  void addFiles(const QStringList& paths);
  // The same character again, drawn without these meshes.
  void addVariant(int of, const QString& title, const std::vector<std::string>& hiddenMeshes);
  void remove(int number);
  // Reads its source again.
  void reload(int number);

 signals:
  // Another character, another atlas or another state.
  void changed();
  void noticed(const ck::ui::Notice& notice);
  void reported(const QString& text);

 private:
  // What came of a source, by its path.
  struct Loaded {
    CastState state = CastState::Reading;
    CastSource source;
    AtlasPtr atlas;
    QString problem;
    bool joins = false;  // the cast, once it is read
  };

  const Loaded* loadedOf(int number) const;
  void onChanged(const Project& before, const Project& now);
  void forgetUnused();
  void start(const std::string& path, bool joins);
  void install(const std::string& path, const CastSource& source, const AtlasPtr& atlas);
  void refuse(const std::string& path, const Error& error, bool joins);
  void join(const std::string& path);
  void addMember(const QString& undoText, CastMember member);

  Document& document_;
  const Session& own_;
  TaskRunner& tasks_;
  std::map<std::string, Loaded> loaded_;
};

}  // namespace ck::ui

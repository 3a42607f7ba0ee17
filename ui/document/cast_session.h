#pragma once

#include <QObject>
#include <QStringList>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/bake/bake.h"
#include "core/bake/bake_error.h"
#include "core/bake/bake_window.h"
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
  std::optional<BakeError> error;  // nothing until it is measured
};

// Whether two characters of a project are read from the same files: variants of one rig.
bool shareRig(const Project& project, int a, int b);

// A character as tall as this was most likely made in another unit than its file says.
inline constexpr double kTallestMeters = 20.0;
double heightOf(const Character& character);  // in metres, at rest

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

  // Of clip `clip` of clipsOf(): as its source has it, with ticks, shape and events.
  const ProjectClip& sourceClip(int number, int clip) const;
  // As it is or would be baked; null where that is not known.
  const BakeWindow* window(int number, int clip) const;
  // What it takes of the atlas; 0 where it is not baked.
  std::size_t bytes(int number, int clip) const;
  // What its atlas costs, and how far it is from its source; nothing until that is known.
  const BakeCost* cost(int number) const;
  const BakeError* error(int number) const;
  // Whether that is on its way. It may have been cancelled, or have failed; then it can be asked
  // for again.
  bool isMeasuring(int number) const;
  void measureAgain(int number);
  // Figures wait while something is baked: those on their way are begun again afterwards.
  void holdMeasuring();
  void resumeMeasuring();

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
  // What sourceClip() or window() say of a character besides the own rig.
  void clipsChanged();
  // Of a character besides the own rig.
  void errorChanged();
  void noticed(const ck::ui::Notice& notice);
  void reported(const QString& text);

 private:
  // What came of a source, by its path.
  struct Loaded {
    CastState state = CastState::Reading;
    CastSource source;
    AtlasPtr atlas;
    QString problem;
    bool joins = false;                              // the cast, once it is read
    BakeSettings asked;                              // by its member, when it was read last
    std::vector<std::optional<BakeWindow>> windows;  // of the source's clips
    std::optional<BakeCost> cost;
    std::optional<BakeError> error;
  };

  const Loaded* loadedOf(int number) const;
  void onChanged(const Project& before, const Project& now);
  void onReplaced();
  // Reads the source unless it is `known` as it is, and bakes it.
  void start(const std::string& path, bool joins, std::optional<CastSource> known = {});
  // Bakes rig files again whose members ask for other settings than they were baked by, or than
  // were refused.
  void bakeStale();
  static Loaded readyOf(const CastSource& source, const AtlasPtr& atlas, const JobContext& job);
  int placeOf(const Loaded& loaded, int number, int clip) const;
  void install(const std::string& path, Loaded loaded);
  void adopt(const std::string& path);
  void measure(const std::string& path);
  void refuse(const std::string& path, const Error& error, bool joins);
  void join(const std::string& path);
  void offerScaling(const std::string& path);
  void addMember(const QString& undoText, CastMember member);

  Document& document_;
  const Session& own_;
  TaskRunner& tasks_;
  std::map<std::string, Loaded> loaded_;
  std::vector<std::string> held_;  // paths that are to be measured once nothing is baked
};

}  // namespace ck::ui

#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/bake/bake_settings.h"
#include "core/base/shared_list.h"
#include "core/crowd/crowd.h"
#include "core/crowd/crowd_spawn.h"
#include "core/import/import_process.h"
#include "core/project/desk.h"
#include "core/project/props.h"
#include "core/scene/clip.h"
#include "core/view/view_settings.h"

namespace ck {

// One clip of the project, in the order of the clip list.
struct ProjectClip {
  std::string name;                   // as in Character::clips; the key that actors and files use
  bool ticked = true;                 // whether it is baked
  std::optional<LoopMode> loop = {};  // unset: determined by the seam
  SeamChoice seam = SeamChoice::Auto;
  std::string title = {};  // display name, also in the atlas; empty: `name`
  ClipEdit edit = {};
  std::vector<ClipEvent> events = {};  // initially those of the file, then the artist's
  bool operator==(const ProjectClip&) const = default;
};

// The title, or the name if the title is empty.
const std::string& titleOf(const ProjectClip& clip);

// The actors of a crowd in immutable chunks. Copying is cheap, and an edit copies only the chunks
// that it changes.
class ActorList {
 public:
  static constexpr std::size_t kChunk = 1024;

  ActorList() = default;
  explicit ActorList(const std::vector<Actor>& actors);

  std::size_t size() const { return size_; }
  const Actor& operator[](std::size_t index) const {
    return (*chunks_[index / kChunk])[index % kChunk];
  }
  void set(std::size_t index, const Actor& actor);
  std::vector<Actor> toVector() const;

  // Compares values; fast for shared chunks.
  bool operator==(const ActorList& other) const;
  // The indices at which two lists of equal size differ.
  std::vector<std::size_t> differences(const ActorList& other) const;

 private:
  std::size_t size_ = 0;
  std::vector<std::shared_ptr<const std::vector<Actor>>> chunks_;
};

// One character, with everything that the artist can set.
struct ProjectCharacter {
  std::string title = {};  // unique; empty: the first character is named after its first file
  // The rig first, then files that add clips; or one `.crowd` project, of which the first character
  // is used. Empty if nothing was imported yet, or for a variant.
  std::vector<SourceFile> sources = {};
  ImportSettings import = {};
  // Indexed by Actor::clip. For a project, only clip names and titles are stored.
  std::vector<ProjectClip> clips = {};
  BakeSettings bake = {};  // its `clips` is set by bakeInputs() from `clips` above
  std::vector<std::string> hiddenMeshes = {};  // names of hidden meshes
  // An earlier character that is not a variant itself. This character then has its sources, clips
  // and bake settings, and its own are empty.
  std::optional<int> variantOf = {};
  bool operator==(const ProjectCharacter&) const = default;
};

// A named group of actors that is dealt together, by a formation and a seed of its own.
struct ProjectCrowd {
  std::string name = "Crowd";  // unique, one line and not empty
  bool on = true;              // whether its actors are shown and exported
  SpawnSettings spawn = {};    // of the last time that it was dealt
  bool operator==(const ProjectCrowd&) const = default;
};

// Facts of a file besides the project, for the next save. Of edits, only movePaths() changes it.
struct FileFacts {
  int newerVersion = 0;  // the version of a file that a later Crowdkiln has written; else 0
  // The parts of the file that this program does not know, as JSON pointers ("/view/fog") and JSON
  // texts. Entries of lists are not among them.
  SharedList<std::pair<std::string, std::string>> unknown = {};
  // The hashes (hashOfSource()) of the sources when the project was saved, by SourceFile::path.
  std::map<std::string, std::uint64_t> sourceHashes = {};
  bool operator==(const FileFacts&) const = default;
};

// Everything that the artist can edit, as one value. An undo step is a pair of these.
struct Project {
  // At least one; indexed by Actor::character (core/project/characters.h). The first one is not a
  // variant.
  std::vector<ProjectCharacter> characters = {ProjectCharacter{}};
  // At least one; indexed by Actor::crowd (core/project/crowds.h).
  std::vector<ProjectCrowd> crowds = {ProjectCrowd{}};
  ActorList actors;
  std::uint64_t randomSeed = 1;  // for R(a,b) in the actors' fields
  ViewSettings view;
  ErrorLimits errorLimits = {};  // larger errors are marked; nothing is refused
  double playbackSpeed = 1.0;
  std::vector<JointMask> masks = {};  // indexed by Actor::mask
  std::vector<Prop> props = {};
  std::vector<std::string> groups = {};  // names, unique and not empty; indexed by Actor::group
  Desk desk = {};
  FileFacts file = {};
  bool operator==(const Project&) const = default;
};

}  // namespace ck

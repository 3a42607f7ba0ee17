#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/bake/bake_settings.h"
#include "core/crowd/crowd.h"
#include "core/crowd/crowd_spawn.h"
#include "core/import/import_process.h"
#include "core/project/props.h"
#include "core/project/source_file.h"
#include "core/scene/clip.h"
#include "core/view/view_settings.h"

namespace ck {

// One clip as the project sees it; order as in the list the artist sees.
struct ProjectClip {
  std::string name;                   // as in Character::clips; what actors and files mean by it
  bool ticked = true;                 // to be baked
  std::optional<LoopMode> loop = {};  // unset: by the seam
  SeamChoice seam = SeamChoice::Auto;
  std::string title = {};  // what people call it, and the atlas; empty: `name`
  ClipEdit shape = {};
  std::vector<ClipEvent> events = {};  // those of the file at first, then as the artist has them
  bool operator==(const ProjectClip&) const = default;
};

// The title, or the name where it has none.
const std::string& titleOf(const ProjectClip& clip);

// The actors of a crowd, in immutable chunks: copying is cheap, and an edit copies only the chunks
// that it touches.
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

  // Equal in value; quick where chunks are shared.
  bool operator==(const ActorList& other) const;
  // Indices in [0, size) where the two differ; both must have the same size.
  std::vector<std::size_t> differences(const ActorList& other) const;

 private:
  std::size_t size_ = 0;
  std::vector<std::shared_ptr<const std::vector<Actor>>> chunks_;
};

// One character: everything that the artist says about it.
struct ProjectCharacter {
  std::string title = {};  // unique; empty: the first character is called like its first file
  // The rig first, then files that add clips; or one `.crowd` project, whose first character
  // counts. None: nothing is imported yet, or the character is a variant.
  std::vector<SourceFile> sources = {};
  ImportSettings import = {};
  // What Actor::clip indexes. For a project only the names and titles are stored.
  std::vector<ProjectClip> clips = {};
  BakeSettings bake = {};  // its `clips` is made from `clips` above by bakeInputs()
  std::vector<std::string> hiddenMeshes = {};  // names of meshes that it is drawn without
  // A character before this one, and no variant itself, whose sources, clips and bake settings
  // this one has; its own are empty.
  std::optional<int> variantOf = {};
  bool operator==(const ProjectCharacter&) const = default;
};

// Everything that the artist can edit, as one value. Undo is a pair of these.
struct Project {
  // At least one; what Actor::character means (core/project/characters.h). The first is no variant.
  std::vector<ProjectCharacter> characters = {ProjectCharacter{}};
  SpawnSettings spawn;  // how the actors were made last
  ActorList actors;
  std::uint64_t randomSeed = 1;  // of R(a,b) in the fields of the actors
  ViewSettings view;
  double playbackSpeed = 1.0;
  std::vector<JointMask> masks = {};  // what Actor::mask means
  std::vector<Prop> props = {};
  bool operator==(const Project&) const = default;
};

}  // namespace ck

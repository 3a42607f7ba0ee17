#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/bake/bake_settings.h"
#include "core/crowd/crowd.h"
#include "core/crowd/crowd_spawn.h"
#include "core/import/import_process.h"
#include "core/project/props.h"
#include "core/project/source_file.h"
#include "core/scene/clip.h"
#include "core/skinning/method.h"

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

// Where the methods palette and prepass skin vertices. Auto: on the processor where OpenGL runs in
// software, which skins slower than the processor does by itself; else on the graphics card.
enum class SkinOn { Auto, Gpu, Cpu };
std::string_view skinOnName(SkinOn skinOn);  // "auto", "gpu", "cpu"
std::optional<SkinOn> skinOnFromName(std::string_view name);

// How the view reads poses between frames: as the bake is meant to be read, or in another way of
// the method atlas (render/skinning/atlas_variants.h).
enum class ViewSampling { AsBaked, Interpolated, HardwareLinear, Nearest, Compact };
// "as-baked", "interpolated", "hardware-linear", "nearest", "compact"
std::string_view viewSamplingName(ViewSampling sampling);

// What actors cast. Auto: cascades where a graphics card can well afford them, else soft ones.
enum class Shadows {
  Auto,
  Off,
  Soft,      // the spread of their joints on the ground: two quads an actor
  Cascades,  // shadow maps of the key light, on the ground and on each other
};
std::string_view shadowsName(Shadows shadows);  // "auto", "off", "soft", "cascades"
std::optional<Shadows> shadowsFromName(std::string_view name);

// What vertex shaders read a palette through, where it lies in a buffer (OpenGL 4.3).
enum class PaletteRead {
  Auto,  // as was measured to be faster in this context
  TextureBuffer,
  StorageBuffer,
};
std::string_view paletteReadName(PaletteRead read);  // "auto", "texture", "storage"
std::optional<PaletteRead> paletteReadFromName(std::string_view name);

// What the view shows.
struct ViewSettings {
  Method method = Method::Palette;
  bool grid = true;
  ViewSampling sampling = ViewSampling::AsBaked;
  int influences = 0;  // 1, 2 or 4; 0: as baked
  Shadows shadows = Shadows::Auto;
  double tickRateHz = 0.0;  // how often actors are posed anew, at most; 0: for every picture
  SkinOn skinOn = SkinOn::Auto;
  int updateEvery = 1;  // method prepass: an actor is posed anew in every n-th tick; 1 to 16
  PaletteRead paletteRead = PaletteRead::Auto;  // methods palette and live
  bool packedInfluences = false;  // method live: joint and weight of an influence in one float
  double facesWithinMeters =
      25.0;  // of the eye: how far away other faces than the default are shown
  bool operator==(const ViewSettings&) const = default;
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

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/commands/scene_options.h"
#include "core/crowd/mixed_crowd.h"
#include "core/project/project.h"
#include "render/view/character_entry.h"
#include "render/view/static_scene.h"

namespace CLI {
class App;
}

namespace ck::cli {

// Options for further characters.
struct WithOptions {
  // FILE or FILE=SHARE. If a file with the whole text as name exists, the '=' is a part of its
  // name.
  std::vector<std::string> files;
  bool actorsAsked = false;  // whether an option sets the number or formation of actors
};
void addWithOption(CLI::App& app, WithOptions& options);

// Whether any of the files is a rig, which is then baked.
bool hasFurtherRigs(const WithOptions& options);

// Options for props: MESH[@X,Z[,YAW[,SCALE]]], in metres and degrees. If a file with the whole text
// as name exists, the '@' is a part of its name.
struct PropOptions {
  std::vector<std::string> props;
};
void addPropOption(CLI::App& app, PropOptions& options);

// The characters to draw with their atlases, and their actors.
struct CastStage {
  struct Member {
    std::string title;
    render::CharacterEntry entry;
    std::vector<CrowdClip> clips;  // indexed by Actor::clip
  };
  std::vector<Member> members;  // indexed by Actor::character
  std::vector<Actor> actors;
  std::vector<JointMask> masks;  // those of the project
  ViewSettings view;             // that of the project, or the defaults
  std::vector<render::PlacedProp> props;
  Notes notes;

  std::vector<render::CharacterEntry> entries() const;
  std::vector<CharacterPtr> characters() const;
  MixedCrowd crowd() const;  // at time 0
};

// The input of makeCastStage().
struct CastRequest {
  ImportOptions import;
  BakeOptions bake;            // for all rig files
  bool encodingAsked = false;  // whether an option sets the encoding
  // The requested method; nothing: that of the project, or the default.
  std::optional<Method> method;
  CrowdOptions crowd;
  WithOptions with;
};

// Loads the rig, atlas folder or `.crowd` project of `import`, then the files of --with. Rig files
// are baked with `bake`, including all of their clips. A project has its own characters, props and
// actors; options may replace the actors. A prop of a project that cannot be read is left out, with
// a note. If no encoding is requested, rigs are baked so that the method can draw them, with a
// note; a requested encoding that the method cannot draw is refused. Error messages start with the
// character's title.
tl::expected<CastStage, StageRefusal> makeCastStage(const CastRequest& request,
                                                    const JobContext& job);

// Reads the files of --prop and adds them to the stage. Fails with the first file that cannot be
// read.
tl::expected<void, StageRefusal> addProps(CastStage& stage, const PropOptions& options,
                                          const JobContext& job);

}  // namespace ck::cli

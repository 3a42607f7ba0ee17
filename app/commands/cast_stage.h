#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/commands/scene_options.h"
#include "core/crowd/mixed_crowd.h"
#include "core/project/project.h"
#include "render/view/cast_entry.h"
#include "render/view/static_scene.h"

namespace CLI {
class App;
}

namespace ck::cli {

// Further characters for the picture, as they are asked for.
struct WithOptions {
  // FILE or FILE=SHARE; what is behind the last '=' is of the file's name where there is such a
  // file.
  std::vector<std::string> files;
  bool actorsAsked = false;  // whether an option says how many actors stand how
};
void addWithOption(CLI::App& app, WithOptions& options);

// Whether any of the files is a rig, which is baked here.
bool hasFurtherRigs(const WithOptions& options);

// Things to stand in the picture, as they are asked for: MESH[@X,Z[,YAW[,SCALE]]], metres and
// degrees. What is behind the last '@' is of the file's name where there is such a file.
struct PropOptions {
  std::vector<std::string> props;
};
void addPropOption(CLI::App& app, PropOptions& options);

// Several characters with their atlases, and their actors.
struct CastStage {
  struct Member {
    std::string title;
    render::CastEntry entry;
    std::vector<CrowdClip> clips;  // what Actor::clip means
  };
  std::vector<Member> members;  // by Actor::character
  std::vector<Actor> actors;
  std::vector<JointMask> masks;  // of the project
  ViewSettings view;             // of the project; as usual without one
  std::vector<render::PlacedProp> props;
  Notes notes;

  std::vector<render::CastEntry> entries() const;
  std::vector<CharacterPtr> characters() const;
  MixedCrowd crowd() const;  // at time 0
};

// What a stage is made of.
struct CastRequest {
  ImportOptions import;
  BakeOptions bake;              // of all rig files
  bool encodingAsked = false;    // whether an option says the encoding
  std::optional<Method> method;  // to draw with; nothing: as the project says, or as usual
  CrowdOptions crowd;
  WithOptions with;
};

// The rig, atlas folder or `.crowd` project of `import`, then what --with names; rig files are
// baked as `bake` says, their own clips all. A project brings
// its cast, its props and its actors, which stay as they are unless options ask for others; a prop
// of a project that cannot be read is left out, with a note. Without an encoding that is asked for
// rigs are baked so that the method can draw them, with a note; one that it cannot draw is refused.
// Fails with the title of the character in front.
tl::expected<CastStage, StageRefusal> makeCastStage(const CastRequest& request,
                                                    const JobContext& job);

// Reads what --prop names and puts it into the stage. Fails with the first that cannot be read.
tl::expected<void, StageRefusal> addProps(CastStage& stage, const PropOptions& options,
                                          const JobContext& job);

}  // namespace ck::cli

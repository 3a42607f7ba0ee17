#pragma once

#include <string>
#include <vector>

#include "app/commands/scene_options.h"
#include "core/crowd/mixed_crowd.h"
#include "render/view/cast_entry.h"

namespace CLI {
class App;
}

namespace ck::cli {

// Further characters for the picture, as they are asked for.
struct WithOptions {
  std::vector<std::string> files;  // FILE or FILE=SHARE
  bool actorsAsked = false;        // whether an option says how many actors stand how
};
void addWithOption(CLI::App& app, WithOptions& options);

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
  Notes notes;

  std::vector<render::CastEntry> entries() const;
  std::vector<CharacterPtr> characters() const;
  MixedCrowd crowd() const;  // at time 0
};

// The rig, atlas folder or `.crowd` project of `import`, then what --with names. A project brings
// its cast and its actors, which stay as they are unless options ask for others. Fails with the
// title of the character in front.
tl::expected<CastStage, StageRefusal> makeCastStage(const ImportOptions& import,
                                                    const BakeOptions& bake,
                                                    const CrowdOptions& crowd,
                                                    const WithOptions& with, const JobContext& job);

}  // namespace ck::cli

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/options/project_input.h"
#include "core/crowd/crowd_spawn.h"
#include "core/project/project.h"
#include "core/skinning/method.h"

namespace ck::cli {

// The characters, actors and props of a scene.
struct SceneOptions {
  InputOptions input;
  // The requested method; nothing: that of the project, or the default.
  std::optional<Method> method = {};
  int actors = 100;
  std::uint64_t seed = 1;
  Formation formation = Formation::Grid;
  std::vector<std::string> variedMorphs = {};  // every actor gets random weights for them
  bool actorsAsked = false;                    // whether an option sets one of these four
  std::vector<std::string> further = {};       // FILE[=SHARE] of --with
  std::string place = {};  // file of actors (core/project/actors/placement.h), or empty
  std::vector<std::string> props = {};  // MESH[@X,Z[,YAW[,SCALE]]] of --prop
};
void addCrowdOptions(CLI::App& app, SceneOptions& options);
void addPlaceOption(CLI::App& app, SceneOptions& options);
void addWithOption(CLI::App& app, SceneOptions& options);
void addPropOption(CLI::App& app, SceneOptions& options);

// The settings of the options; the caller sets the spacing.
SpawnSettings spawnSettings(const SceneOptions& options);

// A file of --with. In a text that is the name of an existing file, '=' is a part of the name.
struct FurtherCharacter {
  std::string file;
  double share = 1.0;  // actors relative to those of the first character
};
UsageResult<FurtherCharacter> furtherFrom(const std::string& text);

// Whether a file of --with is a rig, which is then baked.
bool hasFurtherRigs(const SceneOptions& options);

// A prop of --prop: a place in metres, degrees and a scale. In a text that is the name of an
// existing file, '@' is a part of the name.
UsageResult<Prop> propFrom(const std::string& text);

}  // namespace ck::cli

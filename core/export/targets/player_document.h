#pragma once

#include <string>

#include "core/atlas/error_figures.h"
#include "core/export/targets/export_target.h"

namespace ck {

// NAME.crowd.json, the document that the players of players/core read beside the texels and the
// mesh: clips, bounds, the joint table, shader text of GLSL ES 3.00, baked morph weights and the
// error. Its keys are those that players/core/crowd_set.js reads.
struct PlayerFiles {
  std::string texels;  // name of the raw file, or empty where the document is embedded
  std::string mesh;    // name of the GLB, or empty
  // Name of NAME.impostors.json; empty where there is none, or the document is embedded.
  std::string impostors;
};
std::string playerDocument(const TargetInput& input, const BakeError& error,
                           const PlayerFiles& files);

// The measured error of the input, or one that is measured now. Fails as measureBakeError().
Result<BakeError> errorOf(const TargetInput& input, const JobContext& job);

// The error at vertices of the relative reading, which the players draw.
Result<ErrorFigure> playerShows(const TargetInput& input, const JobContext& job);

// The parts of the input that no player of players/core can hold.
std::vector<std::string> playerLosses(const TargetInput& input);

// The loss of a target whose player shows one clip of an actor at a time, by one clock.
inline constexpr const char* kActorLoss =
    "There is no crossfade: an actor jumps from one clip to the next, and its commands (pause, "
    "reverse, restart, retrace) are not obeyed.";

// Adds what a target loses that does not move actors by AtlasClip::rootMotion, if a clip has one.
void addWayLoss(const Atlas& atlas, std::vector<std::string>& losses);

// One JavaScript text of several modules of players/: those of `inner` become private parts of the
// one named last. Imports by a path that starts with a dot are taken out, and so are the words
// `export` in front of what is inner. Names must be unique over all of them.
std::string playerModule(std::span<const std::string_view> inner, std::string_view main);

}  // namespace ck

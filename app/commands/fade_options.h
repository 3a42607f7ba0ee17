#pragma once

#include <string>
#include <vector>

#include "app/commands/options.h"
#include "core/anim/joint_mask.h"
#include "core/crowd/crowd.h"

namespace ck::cli {

// A second clip for all actors, to try a fade without a project.
struct FadeOptions {
  std::string clip;  // empty: none
  double amount = 0.5;
  double seconds = 0.0;  // 0: constant at `amount`
  double atSeconds = 0.0;
  std::string phase = "own";
  bool eased = false;
  std::string mask;  // name of a joint; empty: the whole body
};
void addFadeOptions(CLI::App& app, FadeOptions& options);

// Applies the fade to every actor. Fails if the atlas has no such clip (`clipNames` are its clips)
// or the rig has no such joint.
UsageResult<void> applyFade(const FadeOptions& options, const std::vector<std::string>& clipNames,
                            const Rig& rig, std::vector<Actor>& actors);

// The masks that Actor::mask refers to after that.
std::vector<JointMask> masksOf(const FadeOptions& options);

}  // namespace ck::cli

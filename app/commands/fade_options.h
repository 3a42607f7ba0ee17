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
  double seconds = 0.0;  // 0: held at `amount`
  double atSeconds = 0.0;
  std::string phase = "own";
  bool eased = false;
  std::string mask;  // a joint; empty: the whole body
};
void addFadeOptions(CLI::App& app, FadeOptions& options);

// Gives every actor the fade. Fails where the atlas has no such clip (`clipNames` are its clips) or
// the rig no such joint.
UsageResult<void> applyFade(const FadeOptions& options, const std::vector<std::string>& clipNames,
                            const Rig& rig, std::vector<Actor>& actors);

// What Actor::mask means after that.
std::vector<JointMask> masksOf(const FadeOptions& options);

}  // namespace ck::cli

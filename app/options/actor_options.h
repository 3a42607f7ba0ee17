#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/options/options.h"
#include "core/anim/joint_mask.h"
#include "core/crowd/crowd.h"
#include "core/morph/morph_weight.h"

namespace ck::cli {

// Adds --morph NAME=W, which may occur any number of times.
void addMorphOption(CLI::App& app, std::vector<std::string>& morphs, const std::string& help);

// Parses "NAME=W" texts to weights. The character must have the morphs; names may contain '='.
UsageResult<std::vector<MorphWeight>> morphWeights(const std::vector<std::string>& texts,
                                                   const Character& character);

// Checks that the character has morphs of the names of --vary-morph.
UsageResult<void> checkVariedMorphs(const std::vector<std::string>& names,
                                    const Character& character);

// A second clip for all actors, to try a fade without a project.
struct FadeOptions {
  std::string clip;  // empty: none
  double amount = 0.5;
  double seconds = 0.0;  // 0: constant at `amount`
  double atSeconds = 0.0;
  FadePhase phase = FadePhase::Own;
  bool eased = false;
  std::string mask;  // name of a joint; empty: the whole body
};
void addFadeOptions(CLI::App& app, FadeOptions& options);

// The index of the second clip, -1 without one. Fails if the crowd has no such clip or the rig has
// no such joint.
UsageResult<int> fadeClip(const FadeOptions& options, std::span<const CrowdClip> clips,
                          const Rig& rig);

// Gives an actor the second clip.
void applyFade(const FadeOptions& options, int clip, Actor& actor);

// Adds --play ACTION@SECONDS, which may occur any number of times.
void addPlayOption(CLI::App& app, std::vector<std::string>& commands);
// Parses those texts, which must be in the order of their times.
UsageResult<std::vector<PlayCommand>> playCommands(const std::vector<std::string>& texts);

// The masks that Actor::mask refers to after that.
std::vector<JointMask> masksOf(const FadeOptions& options);

}  // namespace ck::cli

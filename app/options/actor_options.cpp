#include "app/options/actor_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/options/choices.h"
#include "app/options/numbers.h"
#include "core/morph/morph_set.h"

namespace ck::cli {
namespace {

UsageResult<void> checkMorph(const char* option, const std::string& name, const MorphSet& set) {
  if (!morphsNamed(set, name).empty()) return {};
  std::vector<std::string> known;
  for (const NamedMorph& morph : set) known.push_back("'" + morph.name + "'");
  return tl::unexpected(
      fmt::format("{}: the file has no morph target '{}'; it has {}", option, name,
                  known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))));
}

}  // namespace

void addMorphOption(CLI::App& app, std::vector<std::string>& morphs, const std::string& help) {
  app.add_option("--morph", morphs, help)->allow_extra_args(false)->option_text("NAME=W");
}

UsageResult<std::vector<MorphWeight>> morphWeights(const std::vector<std::string>& texts,
                                                   const Character& character) {
  const MorphSet set = morphSetOf(character);
  std::vector<MorphWeight> weights;
  for (const std::string& text : texts) {
    const std::size_t sign = text.rfind('=');
    const auto weight =
        sign == std::string::npos ? std::nullopt : numberFrom<float>(text.substr(sign + 1));
    if (!weight || !(std::abs(*weight) <= kLargestMorphWeight)) {
      return tl::unexpected(
          fmt::format("--morph: '{}' is not NAME=WEIGHT with a weight from {} to "
                      "{}",
                      text, -kLargestMorphWeight, kLargestMorphWeight));
    }
    weights.push_back({text.substr(0, sign), *weight});
    if (auto ok = checkMorph("--morph", weights.back().name, set); !ok) {
      return tl::unexpected(ok.error());
    }
  }
  return weights;
}

UsageResult<void> checkVariedMorphs(const std::vector<std::string>& names,
                                    const Character& character) {
  const MorphSet set = morphSetOf(character);
  for (const std::string& name : names) {
    if (auto ok = checkMorph("--vary-morph", name, set); !ok) return ok;
  }
  return {};
}

void addFadeOptions(CLI::App& app, FadeOptions& options) {
  CLI::Option* second =
      app.add_option("--fade-to", options.clip, "A second clip for all actors, by name")
          ->option_text("CLIP");
  CLI::Option* held =
      app.add_option("--fade", options.amount, "How much of it, held (default: 0.5)")
          ->check(CLI::Range(0.0, 1.0))
          ->needs(second)
          ->option_text("F");
  CLI::Option* passing =
      app.add_option("--fade-seconds", options.seconds, "Pass to it over this long instead")
          ->check(aboveZero(1e6))
          ->needs(second)
          ->excludes(held)
          ->option_text("S");
  // A constant fade ignores the fade curve.
  app.add_option("--fade-at", options.atSeconds, "When that sets out (default: 0)")
      ->check(finiteNumber())
      ->needs(passing)
      ->option_text("S");
  addChoice(app, "--fade-phase", options.phase,
            wordsFor({FadePhase::Own, FadePhase::Synced, FadePhase::Start}, fadePhaseName),
            "Where in the second clip it then is")
      ->needs(passing);
  app.add_flag("--fade-eased", options.eased, "Slow at both ends")->needs(passing);
  app.add_option("--mask", options.mask,
                 "Only this joint and what hangs below follow it (method live)")
      ->needs(second)
      ->option_text("JOINT");
}

UsageResult<int> fadeClip(const FadeOptions& options, std::span<const CrowdClip> clips,
                          const Rig& rig) {
  if (options.clip.empty()) return -1;
  const auto clip = std::ranges::find(clips, options.clip, &CrowdClip::name);
  if (clip == clips.end()) {
    std::vector<std::string> names;
    for (const CrowdClip& each : clips) names.push_back(each.name);
    return tl::unexpected(fmt::format("--fade-to: there is no clip '{}'; the atlas has '{}'",
                                      options.clip, fmt::join(names, "', '")));
  }
  if (!options.mask.empty() && !findJoint(rig, options.mask)) {
    return tl::unexpected(fmt::format(
        "--mask: the rig has no joint '{}'; kiln info --json lists them", options.mask));
  }
  return static_cast<int>(clip - clips.begin());
}

void applyFade(const FadeOptions& options, int clip, Actor& actor) {
  actor.fadeClip = clip;
  actor.fade = static_cast<float>(options.amount);
  actor.fadeSeconds = static_cast<float>(options.seconds);
  actor.fadeAtSeconds = static_cast<float>(options.atSeconds);
  actor.fadePhase = options.phase;
  actor.fadeEased = options.eased;
  actor.mask = options.mask.empty() ? -1 : 0;
}

void addPlayOption(CLI::App& app, std::vector<std::string>& commands) {
  app.add_option(
         "--play", commands,
         fmt::format("Tell all actors to {} at that time", fmt::join(kPlayActionNames, "|")))
      ->allow_extra_args(false)
      ->option_text("ACTION@S");
}

UsageResult<std::vector<PlayCommand>> playCommands(const std::vector<std::string>& texts) {
  auto commands = commandsFromText(fmt::format("{}", fmt::join(texts, " ")));
  if (!commands) return tl::unexpected(fmt::format("--play: {}", commands.error().message));
  return *commands;
}

std::vector<JointMask> masksOf(const FadeOptions& options) {
  if (options.mask.empty()) return {};
  return {{options.mask, {{options.mask}}}};
}

}  // namespace ck::cli

#include "app/commands/fade_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

namespace ck::cli {
namespace {

FadePhase phaseFrom(const std::string& name) {
  for (const FadePhase phase : {FadePhase::Own, FadePhase::Synced, FadePhase::Start}) {
    if (fadePhaseName(phase) == name) return phase;
  }
  return FadePhase::Own;
}

}  // namespace

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
  CLI::Option* phase =
      app.add_option("--fade-phase", options.phase, "Where in the second clip it then is");
  offer(phase->needs(passing), {"own", "synced", "start"});
  app.add_flag("--fade-eased", options.eased, "Slow at both ends")->needs(passing);
  app.add_option("--mask", options.mask,
                 "Only this joint and what hangs below follow it (method live)")
      ->needs(second)
      ->option_text("JOINT");
}

UsageResult<void> applyFade(const FadeOptions& options, const std::vector<std::string>& clipNames,
                            const Rig& rig, std::vector<Actor>& actors) {
  if (options.clip.empty()) return {};
  const auto clip = std::find(clipNames.begin(), clipNames.end(), options.clip);
  if (clip == clipNames.end()) {
    return tl::unexpected(fmt::format("--fade-to: there is no clip '{}'; the atlas has '{}'",
                                      options.clip, fmt::join(clipNames, "', '")));
  }
  if (!options.mask.empty() && !findJoint(rig, options.mask)) {
    return tl::unexpected(fmt::format(
        "--mask: the rig has no joint '{}'; kiln info --json lists them", options.mask));
  }
  for (Actor& actor : actors) {
    actor.fadeClip = static_cast<int>(clip - clipNames.begin());
    actor.fade = static_cast<float>(options.amount);
    actor.fadeSeconds = static_cast<float>(options.seconds);
    actor.fadeAtSeconds = static_cast<float>(options.atSeconds);
    actor.fadePhase = phaseFrom(options.phase);
    actor.fadeEased = options.eased;
    actor.mask = options.mask.empty() ? -1 : 0;
  }
  return {};
}

std::vector<JointMask> masksOf(const FadeOptions& options) {
  if (options.mask.empty()) return {};
  return {{options.mask, {{options.mask}}}};
}

}  // namespace ck::cli

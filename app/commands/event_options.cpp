#include "app/commands/event_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>

#include "app/commands/numbers.h"
#include "core/base/utf8.h"

namespace ck::cli {
namespace {

struct Asked {
  std::string clip;
  ClipEvent event;
};

// Names may contain both signs: the first colon that is followed by a time and an equals sign
// separates.
std::optional<Asked> askedFrom(const std::string& text) {
  for (std::size_t colon = text.find(':'); colon != std::string::npos;
       colon = text.find(':', colon + 1)) {
    const std::size_t equals = text.find('=', colon);
    if (equals == std::string::npos || equals + 1 == text.size()) break;
    const auto seconds = numberFrom<double>(text.substr(colon + 1, equals - colon - 1));
    if (seconds && std::isfinite(*seconds)) {
      return Asked{text.substr(0, colon), {text.substr(equals + 1), *seconds}};
    }
  }
  return std::nullopt;
}

}  // namespace

void addEventOption(CLI::App& app, std::vector<std::string>& events) {
  app.add_option("--event", events,
                 "A name at a time of a clip, on the file's timeline, besides those of the file")
      ->allow_extra_args(false)
      ->option_text("CLIP:SECONDS=NAME");
}

UsageResult<std::vector<ProjectClip>> clipsWithEvents(const std::vector<std::string>& asked,
                                                      const Character& character,
                                                      std::span<const BakeClip> baked) {
  std::vector<ProjectClip> clips;
  for (const Clip& clip : character.clips) {
    clips.push_back({.name = clip.name, .events = clip.events});
  }
  for (const std::string& text : asked) {
    auto one = askedFrom(text);
    if (!one) {
      return tl::unexpected(
          fmt::format("--event: '{}' is not CLIP:SECONDS=NAME, such as walk:0.25=step", text));
    }
    if (!isUtf8(one->event.name)) {
      return tl::unexpected(std::string("--event: the name of an event is not valid UTF-8"));
    }
    const auto index = findClip(character, one->clip);
    if (!index) return tl::unexpected("--event: " + index.error().error.message);
    const Clip& clip = character.clips[*index];
    if (!baked.empty() && std::ranges::find(baked, clip.name, &BakeClip::name) == baked.end()) {
      return tl::unexpected(fmt::format(
          "--event: the clip '{}' is left out by --clips; name it there, too", clip.name));
    }
    const double end = clip.startSeconds + clip.durationSeconds;
    constexpr double kRounding = 1e-6;
    if (one->event.seconds < clip.startSeconds - kRounding ||
        one->event.seconds > end + kRounding) {
      return tl::unexpected(
          fmt::format("--event: {} s is not in the clip '{}', from {:.3f} s to "
                      "{:.3f} s",
                      one->event.seconds, clip.name, clip.startSeconds, end));
    }
    clips[*index].events.push_back(std::move(one->event));
  }
  return clips;
}

}  // namespace ck::cli

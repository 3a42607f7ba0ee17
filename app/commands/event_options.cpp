#include "app/commands/event_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>

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
  const char* const end = text.data() + text.size();
  for (std::size_t colon = text.find(':'); colon != std::string::npos;
       colon = text.find(':', colon + 1)) {
    double seconds = 0.0;
    const auto read = std::from_chars(text.data() + colon + 1, end, seconds);
    const bool good = read.ec == std::errc() && std::isfinite(seconds) && read.ptr != end &&
                      *read.ptr == '=' && read.ptr + 1 != end;
    if (good) return Asked{text.substr(0, colon), {std::string(read.ptr + 1, end), seconds}};
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
    if (!index) return tl::unexpected("--event: " + noSuchClip(character, one->clip));
    const Clip& clip = character.clips[*index];
    const bool isBaked =
        baked.empty() || std::any_of(baked.begin(), baked.end(), [&clip](const BakeClip& each) {
          return each.name == clip.name;
        });
    if (!isBaked) {
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

std::string eventsText(const std::vector<ClipEvent>& events) {
  std::string text;
  for (const ClipEvent& event : events) {
    text += fmt::format("{}{} at {:.3f} s", text.empty() ? "" : ", ", event.name, event.seconds);
  }
  return text;
}

}  // namespace ck::cli

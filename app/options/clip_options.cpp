#include "app/options/clip_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <iterator>

#include "app/options/choices.h"
#include "app/options/listed_names.h"
#include "app/options/numbers.h"
#include "core/base/utf8.h"
#include "core/scene/clip_edit_json.h"

namespace ck::cli {
namespace {

// Brings the clips that --clips names to the front, and takes the ticks of the others.
UsageResult<void> chooseClips(const std::vector<std::string>& options, const Character& character,
                              std::vector<ProjectClip>& clips) {
  std::vector<std::string> wanted;
  for (const std::string& text : options)
    std::ranges::move(listed(text), std::back_inserter(wanted));
  if (wanted.empty()) return {};
  std::vector<ProjectClip> chosen;
  for (const std::string& text : wanted) {
    const auto clip = findClip(character, clips, text);
    if (!clip) return tl::unexpected(clip.error());
    if (std::ranges::find(chosen, clips[*clip].name, &ProjectClip::name) != chosen.end()) {
      return tl::unexpected(fmt::format("--clips: '{}' is named twice; every clip is baked once",
                                        titleOf(clips[*clip])));
    }
    chosen.push_back(clips[*clip]);
    chosen.back().ticked = true;
  }
  for (ProjectClip& clip : clips) {
    if (std::ranges::find(chosen, clip.name, &ProjectClip::name) != chosen.end()) continue;
    chosen.push_back(std::move(clip));
    chosen.back().ticked = false;
  }
  clips = std::move(chosen);
  return {};
}

struct RequestedEvent {
  std::string clip;
  ClipEvent event;
};

// Names may contain both signs: the first colon that is followed by a time and an equals sign
// separates.
std::optional<RequestedEvent> eventFrom(const std::string& text) {
  for (std::size_t colon = text.find(':'); colon != std::string::npos;
       colon = text.find(':', colon + 1)) {
    const std::size_t equals = text.find('=', colon);
    if (equals == std::string::npos || equals + 1 == text.size()) break;
    const auto seconds = numberFrom<double>(text.substr(colon + 1, equals - colon - 1));
    if (seconds && std::isfinite(*seconds)) {
      return RequestedEvent{text.substr(0, colon), {text.substr(equals + 1), *seconds}};
    }
  }
  return std::nullopt;
}

UsageResult<void> addEvent(const std::string& text, const Character& character,
                           std::span<ProjectClip> clips) {
  auto one = eventFrom(text);
  if (!one) {
    return tl::unexpected(
        fmt::format("--event: '{}' is not CLIP:SECONDS=NAME, such as walk:0.25=step", text));
  }
  if (!isUtf8(one->event.name)) {
    return tl::unexpected(std::string("--event: the name of an event is not valid UTF-8"));
  }
  const auto index = findClip(character, clips, one->clip);
  if (!index) return tl::unexpected("--event: " + index.error().error.message);
  if (!clips[*index].ticked) {
    return tl::unexpected(fmt::format(
        "--event: the clip '{}' is not ticked or left out by --clips; name it there, too",
        titleOf(clips[*index])));
  }
  const auto source = clipNamed(character, clips[*index].name);
  if (source) {
    const Clip& clip = character.clips[*source];
    const double end = clip.startSeconds + clip.durationSeconds;
    constexpr double kRounding = 1e-6;
    if (one->event.seconds < clip.startSeconds - kRounding ||
        one->event.seconds > end + kRounding) {
      return tl::unexpected(
          fmt::format("--event: {} s is not in the clip '{}', from {:.3f} s to {:.3f} s",
                      one->event.seconds, clip.name, clip.startSeconds, end));
    }
  }
  clips[*index].events.push_back(std::move(one->event));
  return {};
}

// Calls `set(edit, value)` for the clips that each entry of an option means. `set` returns what is
// wrong with the value, or nothing.
template <class Set>
UsageResult<void> forEntries(std::string_view option, const std::vector<std::string>& entries,
                             const Character& character, std::span<ProjectClip> clips, Set&& set) {
  for (const std::string& entry : entries) {
    // Names may contain the sign, values do not.
    const std::size_t equals = entry.rfind('=');
    const std::string value = equals == std::string::npos ? entry : entry.substr(equals + 1);
    const ProjectClip* only = nullptr;
    if (equals != std::string::npos) {
      const auto clip = findClip(character, clips, entry.substr(0, equals));
      if (!clip) return tl::unexpected(fmt::format("{}: {}", option, clip.error().error.message));
      only = &clips[*clip];
      if (!only->ticked) {
        return tl::unexpected(fmt::format(
            "{}: clip '{}' is not baked, because it is not ticked or --clips leaves it out", option,
            titleOf(*only)));
      }
    }
    for (ProjectClip& clip : clips) {
      if (only != nullptr ? &clip != only : !clip.ticked) continue;
      const std::string wrong = set(clip.edit, value);
      if (!wrong.empty()) {
        return tl::unexpected(fmt::format("{}: '{}' is not {}", option, value, wrong));
      }
    }
  }
  return {};
}

std::string setMotion(ClipEdit& edit, std::string_view word) {
  for (const RootMotion motion : {RootMotion::Keep, RootMotion::Strip, RootMotion::Extract}) {
    if (rootMotionName(motion) != word) continue;
    edit.root.motion = motion;
    return {};
  }
  return "keep, strip or extract";
}

std::string setAxes(ClipEdit& edit, std::string_view words) {
  constexpr std::string_view kWrong = "a list of x, y, z and yaw, such as x,z,yaw";
  RootEdit& root = edit.root;
  root.x = root.y = root.z = root.yaw = false;
  while (!words.empty()) {
    const std::size_t comma = std::min(words.find(','), words.size());
    const std::string_view word = words.substr(0, comma);
    words.remove_prefix(std::min(comma + 1, words.size()));
    bool* const axis = word == "x"     ? &root.x
                       : word == "y"   ? &root.y
                       : word == "z"   ? &root.z
                       : word == "yaw" ? &root.yaw
                                       : nullptr;
    if (axis == nullptr || *axis) return std::string(kWrong);
    *axis = true;
  }
  return root.x || root.y || root.z || root.yaw ? std::string() : std::string(kWrong);
}

std::string setOffset(ClipEdit& edit, const std::string& text) {
  const auto share = numberFrom<double>(text);
  if (!share || !(*share >= 0.0 && *share < 1.0)) return "a share from 0 to below 1";
  edit.loopOffset = *share;
  return {};
}

UsageResult<void> editRoots(const ClipOptions& options, const Character& character,
                            std::span<ProjectClip> clips) {
  const auto setJoint = [&character](ClipEdit& edit, const std::string& name) -> std::string {
    if (!findJoint(character.rig, name)) return "a joint of the rig; kiln info lists them";
    edit.root.joint = name;
    return {};
  };
  if (auto ok = forEntries("--root", options.roots, character, clips, setMotion); !ok) return ok;
  if (auto ok = forEntries("--root-joint", options.rootJoints, character, clips, setJoint); !ok) {
    return ok;
  }
  if (auto ok = forEntries("--root-axes", options.rootAxes, character, clips, setAxes); !ok) {
    return ok;
  }
  const bool isTakenOut = std::ranges::any_of(clips, [](const ProjectClip& clip) {
    return clip.ticked && clip.edit.root.motion != RootMotion::Keep;
  });
  if (options.roots.empty() && !isTakenOut &&
      !(options.rootJoints.empty() && options.rootAxes.empty())) {
    return tl::unexpected(
        fmt::format("{} says how a way is taken out, and without --root it is kept; add --root "
                    "strip or --root extract",
                    options.rootJoints.empty() ? "--root-axes" : "--root-joint"));
  }
  for (const ProjectClip& clip : clips) {
    const RootEdit& root = clip.edit.root;
    if (clip.ticked && root.motion == RootMotion::Strip && !root.x && !root.y && !root.z) {
      return tl::unexpected(
          std::string("--root-axes: yaw alone is taken out by --root extract, not by strip"));
    }
  }
  return {};
}

}  // namespace

void addClipOptions(CLI::App& app, ClipOptions& options) {
  const auto add = [&app](const char* name, std::vector<std::string>& entries, const char* help,
                          const char* values) {
    app.add_option(name, entries, help)->allow_extra_args(false)->option_text(values);
  };
  add("--clips", options.clips, "Clips to bake, by name or #INDEX (default: all)", "A,B");
  addChoice(
      app, "--seam", options.seam,
      wordsFor({SeamChoice::Auto, SeamChoice::Inclusive, SeamChoice::Exclusive, SeamChoice::None},
               seamChoiceName),
      "How the clips close");
  addChoice(app, "--loop", options.loop,
            wordsFor({LoopMode::Loop, LoopMode::Once, LoopMode::PingPong}, loopModeName),
            "What happens at the ends (default: by the seam)");
  add("--root", options.roots,
      "The clips' way over the ground: kept, taken out, or taken out and stored as a "
      "track by which actors walk (default: keep)",
      "[CLIP=]keep|strip|extract");
  add("--root-joint", options.rootJoints, "The joint that carries the way (default: found)",
      "[CLIP=]NAME");
  add("--root-axes", options.rootAxes,
      "What of the way is taken out (default: x,z,yaw; yaw only by extract)", "[CLIP=]x,y,z,yaw");
  add("--loop-offset", options.loopOffsets,
      "Where a loop starts, as a share of its length from its first pose (default: 0)",
      "[CLIP=]SHARE");
  add("--event", options.events,
      "A name at a time of a clip, on the file's timeline, besides those of the file",
      "CLIP:SECONDS=NAME");
}

ClipOptions ofAllClips(const ClipOptions& options) {
  ClipOptions all = options;
  all.clips.clear();
  all.events.clear();
  for (auto* entries : {&all.roots, &all.rootJoints, &all.rootAxes, &all.loopOffsets}) {
    std::erase_if(*entries,
                  [](const std::string& entry) { return entry.find('=') != std::string::npos; });
  }
  if (all.roots.empty()) {
    all.rootJoints.clear();
    all.rootAxes.clear();
  }
  return all;
}

UsageResult<void> editClips(const ClipOptions& options, const Character& character,
                            std::vector<ProjectClip>& clips) {
  if (auto ok = chooseClips(options.clips, character, clips); !ok) return ok;
  for (ProjectClip& clip : clips) {
    if (!clip.ticked) continue;
    clip.seam = options.seam.value_or(clip.seam);
    if (options.loop) clip.loop = options.loop;
  }
  if (auto ok = editRoots(options, character, clips); !ok) return ok;
  if (auto ok = forEntries("--loop-offset", options.loopOffsets, character, clips, setOffset);
      !ok) {
    return ok;
  }
  for (const std::string& text : options.events) {
    if (auto ok = addEvent(text, character, clips); !ok) return ok;
  }
  return {};
}

UsageResult<std::size_t> findClip(const Character& character, std::span<const ProjectClip> clips,
                                  const std::string& text) {
  const auto indexOf = [&clips](const auto found) {
    return static_cast<std::size_t>(found - clips.begin());
  };
  const auto titled = std::ranges::find_if(
      clips, [&text](const ProjectClip& clip) { return titleOf(clip) == text; });
  if (titled != clips.end()) return indexOf(titled);
  if (const auto named = clipNamed(character, text)) {
    const auto found = std::ranges::find(clips, character.clips[*named].name, &ProjectClip::name);
    if (found != clips.end()) return indexOf(found);
  }
  const auto index = text.starts_with('#') ? numberFrom<std::size_t>(text.substr(1)) : std::nullopt;
  if (index && *index < clips.size()) return *index;
  std::vector<std::string> names;
  bool hasComma = false;
  for (const ProjectClip& clip : clips) {
    names.push_back("'" + titleOf(clip) + "'");
    hasComma = hasComma || titleOf(clip).find(',') != std::string::npos;
  }
  return tl::unexpected(fmt::format(
      "there is no clip '{}'; the file has {}{}", text,
      names.empty() ? "no clips" : fmt::format("{}", fmt::join(names, ", ")),
      hasComma ? "; a comma in a name is written '\\,', or the clip is named by #INDEX" : ""));
}

}  // namespace ck::cli

#include "app/commands/clip_edit_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "app/commands/numbers.h"
#include "app/commands/options.h"
#include "core/scene/clip_edit_json.h"

namespace ck::cli {
namespace {

// Calls `set(edit, value)` for the clips that each entry of an option means. `set` returns what is
// wrong with the value, or nothing.
template <class Set>
UsageResult<void> forEntries(std::string_view option, const std::vector<std::string>& entries,
                             const Character& character, std::span<BakeClip> clips, Set&& set) {
  for (const std::string& entry : entries) {
    // Names may contain the sign, values do not.
    const std::size_t equals = entry.rfind('=');
    const std::string value = equals == std::string::npos ? entry : entry.substr(equals + 1);
    std::string only;
    if (equals != std::string::npos) {
      const auto clip = findClip(character, entry.substr(0, equals));
      if (!clip) return tl::unexpected(fmt::format("{}: {}", option, clip.error().error.message));
      only = character.clips[*clip].name;
      if (std::ranges::find(clips, only, &BakeClip::name) == clips.end()) {
        return tl::unexpected(
            fmt::format("{}: clip '{}' is not baked, because --clips leaves it out", option, only));
      }
    }
    for (BakeClip& clip : clips) {
      if (!only.empty() && clip.name != only) continue;
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

}  // namespace

void addClipEditOptions(CLI::App& app, ClipEditOptions& options) {
  const auto add = [&app](const char* name, std::vector<std::string>& entries, const char* help,
                          const char* values) {
    app.add_option(name, entries, help)->allow_extra_args(false)->option_text(values);
  };
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
}

ClipEditOptions ofAllClips(const ClipEditOptions& options) {
  ClipEditOptions all = options;
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

UsageResult<void> editClips(const ClipEditOptions& options, const Character& character,
                            std::span<BakeClip> clips) {
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
  if (options.roots.empty() && !(options.rootJoints.empty() && options.rootAxes.empty())) {
    return tl::unexpected(
        fmt::format("{} says how a way is taken out, and without --root it is kept; add --root "
                    "strip or --root extract",
                    options.rootJoints.empty() ? "--root-axes" : "--root-joint"));
  }
  for (const BakeClip& clip : clips) {
    const RootEdit& root = clip.edit.root;
    if (root.motion == RootMotion::Strip && !root.x && !root.y && !root.z) {
      return tl::unexpected(
          std::string("--root-axes: yaw alone is taken out by --root extract, not by strip"));
    }
  }
  return forEntries("--loop-offset", options.loopOffsets, character, clips, setOffset);
}

}  // namespace ck::cli

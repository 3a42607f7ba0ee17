#include "core/project/pipeline.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "core/anim/edited_clip.h"
#include "core/anim/pose.h"
#include "core/base/assert.h"
#include "core/project/cast.h"

namespace ck {

ImportInputs importInputs(const Project& project) {
  return {project.sources, project.import};
}

BakeClip bakeClipOf(const ProjectClip& clip) {
  return {.name = clip.name,
          .loop = clip.loop,
          .seam = clip.seam,
          .title = clip.title,
          .shape = clip.shape};
}

BakeSettings bakeInputs(const Project& project) {
  BakeSettings settings = project.bake;
  settings.clips.clear();
  for (const ProjectClip& clip : project.clips) {
    if (clip.ticked) settings.clips.push_back(bakeClipOf(clip));
  }
  return settings;
}

bool anyClipTicked(const Project& project) {
  return std::any_of(project.clips.begin(), project.clips.end(),
                     [](const ProjectClip& clip) { return clip.ticked; });
}

CrowdInputs crowdInputs(const Project& project) {
  CrowdInputs inputs;
  for (const ProjectClip& clip : project.clips) {
    inputs.clipNames.push_back(clip.name);
    inputs.clipEvents.push_back(clip.events);
  }
  for (const CastMember& member : project.cast) {
    std::vector<std::string>& names = inputs.castClipNames.emplace_back();
    for (const ProjectClip& clip : member.clips) names.push_back(clip.name);
  }
  inputs.actors = project.actors;
  inputs.masks = project.masks;
  return inputs;
}

std::vector<CrowdEvent> crowdEvents(const std::vector<ClipEvent>& events,
                                    const EventWindow& window) {
  std::vector<CrowdEvent> known;
  const double length = window.durationSeconds * window.rate;
  // Files write times as floats: an event at either end is neither lost nor a little before it,
  // where a clip that turns there would pass it twice.
  constexpr double kRounding = 1e-6;
  for (const ClipEvent& event : events) {
    double unit = length > 0.0 ? (event.seconds - window.startSeconds) / length : 0.0;
    if (unit < -kRounding || unit > 1.0 + kRounding) continue;
    if (unit < kRounding) unit = 0.0;
    if (unit > 1.0 - kRounding) unit = 1.0;
    known.push_back({event.name, unit});
  }
  return known;
}

void setEvents(std::vector<CrowdClip>& clips, const Atlas& atlas,
               const std::vector<std::vector<ClipEvent>>& events) {
  for (std::size_t i = 0; i < std::min(clips.size(), events.size()); ++i) {
    if (clips[i].atlasClip < 0) continue;
    const AtlasClip& baked = atlas.clips[static_cast<std::size_t>(clips[i].atlasClip)];
    clips[i].events =
        crowdEvents(events[i], {baked.startSeconds, baked.durationSeconds, baked.shape.rate});
  }
}

std::vector<std::vector<CrowdEvent>> atlasEvents(const Atlas& atlas,
                                                 std::span<const ProjectClip> clips) {
  std::vector<std::vector<CrowdEvent>> events;
  for (const AtlasClip& baked : atlas.clips) {
    const EventWindow window{baked.startSeconds, baked.durationSeconds, baked.shape.rate};
    std::vector<CrowdEvent>& ofClip = events.emplace_back();
    for (const ProjectClip& clip : clips) {
      if (clip.name != sourceNameOf(baked)) continue;
      ofClip = crowdEvents(clip.events, window);
      break;
    }
  }
  return events;
}

double spacingFor(const Character& character) {
  const Bounds bounds = bindBounds(character);
  const glm::dvec3 size = bounds.high - bounds.low;
  const double largest = std::max({size.x, size.y, size.z});
  if (!(largest > 0.0) || !std::isfinite(largest)) return SpawnSettings{}.spacingMeters;
  // Two digits, so that the field of the editor shows a number that people would type.
  const double unit = std::pow(10.0, std::floor(std::log10(largest)) - 1.0);
  return std::max(1.0, std::round(largest * 0.9 / unit)) * unit;
}

Project newProjectFor(const Character& character, const std::vector<SourceFile>& sources) {
  Project project;
  project.sources = sources;
  std::vector<std::string> names;
  for (const Clip& clip : character.clips) {
    project.clips.push_back({.name = clip.name, .events = clip.events});
    names.push_back(clip.name);
  }
  project.spawn.spacingMeters = spacingFor(character);
  project.spawn.clipCount = std::max(1, static_cast<int>(names.size()));
  project.actors = ActorList(spawnFor(character, names, project.spawn));
  return project;
}

namespace {

// Gives every actor's clips their new numbers. Clips that are gone, -1, become the first one; a
// second clip that is gone becomes none.
void renumberClips(Project& project, const std::vector<int>& newNumbers) {
  const auto newNumber = [&newNumbers](int clip) {
    const bool known = clip >= 0 && static_cast<std::size_t>(clip) < newNumbers.size();
    return known ? newNumbers[static_cast<std::size_t>(clip)] : -1;
  };
  for (std::size_t i = 0; i < project.actors.size(); ++i) {
    Actor actor = project.actors[i];
    if (!isOwnRig(project, actor.character)) continue;
    const Actor before = actor;
    actor.clip = std::max(newNumber(actor.clip), 0);
    actor.fadeClip = newNumber(actor.fadeClip);
    if (!(actor == before)) project.actors.set(i, actor);
  }
}

void dropUnfitTrims(std::vector<ProjectClip>& clips, const Character& character) {
  for (ProjectClip& clip : clips) {
    if (!clip.shape.trim) continue;
    const auto source = std::find_if(character.clips.begin(), character.clips.end(),
                                     [&clip](const Clip& one) { return one.name == clip.name; });
    if (source == character.clips.end()) continue;
    if (!editedClip(character.rig, *source, clip.shape)) clip.shape.trim.reset();
  }
}

}  // namespace

void adoptClips(Project& project, const Character& character) {
  std::unordered_map<std::string_view, bool> there;
  for (const Clip& clip : character.clips) there.emplace(clip.name, false);

  std::vector<ProjectClip> clips;
  std::vector<int> moved(project.clips.size(), -1);
  for (std::size_t i = 0; i < project.clips.size(); ++i) {
    const auto found = there.find(project.clips[i].name);
    if (found == there.end() || found->second) continue;
    found->second = true;
    moved[i] = static_cast<int>(clips.size());
    clips.push_back(project.clips[i]);
  }
  for (const Clip& clip : character.clips) {
    if (!there[clip.name]) clips.push_back({.name = clip.name, .events = clip.events});
  }

  dropUnfitTrims(clips, character);
  renumberClips(project, moved);
  project.clips = std::move(clips);
  project.spawn.clipCount = std::max(1, static_cast<int>(project.clips.size()));
}

void removeMask(Project& project, std::size_t mask) {
  if (mask >= project.masks.size()) return;
  project.masks.erase(project.masks.begin() + static_cast<std::ptrdiff_t>(mask));
  const int removed = static_cast<int>(mask);
  for (std::size_t i = 0; i < project.actors.size(); ++i) {
    Actor actor = project.actors[i];
    if (actor.mask < removed) continue;
    actor.mask = actor.mask == removed ? -1 : actor.mask - 1;
    project.actors.set(i, actor);
  }
}

void reorderClips(Project& project, const std::vector<int>& order) {
  CK_ASSERT(order.size() == project.clips.size());
  std::vector<ProjectClip> clips;
  std::vector<int> newNumbers(order.size(), 0);
  for (const int from : order) {
    newNumbers[static_cast<std::size_t>(from)] = static_cast<int>(clips.size());
    clips.push_back(project.clips[static_cast<std::size_t>(from)]);
  }
  project.clips = std::move(clips);
  renumberClips(project, newNumbers);
}

bool isFreeTitle(const Project& project, std::size_t clip, std::string_view title) {
  if (title.empty() || title.find_first_of("\r\n") != std::string_view::npos) return false;
  for (std::size_t i = 0; i < project.clips.size(); ++i) {
    if (i != clip && titleOf(project.clips[i]) == title) return false;
  }
  return true;
}

std::filesystem::path findSample(const char* fileName) {
  namespace fs = std::filesystem;
  std::error_code failed;
  const fs::path program = fs::read_symlink("/proc/self/exe", failed);
  if (failed) return {};
  const fs::path installed =
      program.parent_path().parent_path() / "share" / "crowdkiln" / "samples" / fileName;
  if (fs::is_regular_file(installed, failed)) return installed;
  for (fs::path folder = program.parent_path(); folder.has_relative_path();
       folder = folder.parent_path()) {
    const fs::path built = folder / "resources" / "samples" / fileName;
    if (fs::is_regular_file(built, failed)) return built;
  }
  return {};
}

}  // namespace ck

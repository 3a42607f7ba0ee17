#include "core/stage/pipeline.h"

#include <algorithm>
#include <unordered_map>

#include "core/anim/edited_clip.h"
#include "core/project/actors/spawn.h"

namespace ck {

ImportInputs importInputs(const ProjectCharacter& character) {
  return {character.sources, character.import};
}

BakeClip bakeClipOf(const ProjectClip& clip) {
  return {.name = clip.name,
          .loop = clip.loop,
          .seam = clip.seam,
          .title = clip.title,
          .edit = clip.edit};
}

BakeSettings bakeInputs(const ProjectCharacter& character) {
  BakeSettings settings = character.bake;
  settings.clips.clear();
  for (const ProjectClip& clip : character.clips) {
    if (clip.ticked) settings.clips.push_back(bakeClipOf(clip));
  }
  return settings;
}

bool anyClipTicked(const ProjectCharacter& character) {
  return std::ranges::any_of(character.clips, &ProjectClip::ticked);
}

CrowdInputs crowdInputs(const Project& project) {
  CrowdInputs inputs;
  for (const ProjectCharacter& character : project.characters) {
    auto& names = inputs.clipNames.emplace_back();
    auto& events = inputs.clipEvents.emplace_back();
    for (const ProjectClip& clip : character.clips) {
      names.push_back(clip.name);
      events.push_back(clip.events);
    }
  }
  inputs.actors = project.actors;
  inputs.masks = project.masks;
  for (const ProjectCrowd& crowd : project.crowds) inputs.shownCrowds.push_back(crowd.on);
  return inputs;
}

std::vector<CrowdEvent> crowdEvents(const std::vector<ClipEvent>& events,
                                    const EventWindow& window) {
  std::vector<CrowdEvent> known;
  const double length = window.durationSeconds * window.rate;
  // Files store times as floats. An event near an end is moved onto it: it must not be lost, and a
  // clip that reverses there must not pass it twice.
  constexpr double kRounding = 1e-6;
  for (const ClipEvent& event : events) {
    double unit = length > 0.0 ? (event.seconds - window.startSeconds) / length : 0.0;
    if (unit < -kRounding || unit > 1.0 + kRounding) continue;
    if (window.offset > 0.0) unit -= window.offset;
    if (unit < -kRounding) unit += 1.0;
    if (unit < kRounding) unit = 0.0;
    if (unit > 1.0 - kRounding) unit = 1.0;
    known.push_back({event.name, unit});
  }
  return known;
}

EventWindow windowOf(const AtlasClip& clip) {
  return {clip.startSeconds, clip.durationSeconds, clip.edit.rate, clip.edit.loopOffset};
}

Project newProjectFor(const Character& character, const std::vector<SourceFile>& sources) {
  Project project;
  ProjectCharacter& first = project.characters.front();
  first.sources = sources;
  first.clips = adoptedClips({}, character);
  std::vector<std::string> names;
  for (const ProjectClip& clip : first.clips) names.push_back(clip.name);
  SpawnSettings& spawn = project.crowds.front().spawn;
  spawn.spacingMeters = spacingFor(character);
  spawn.clipCount = std::max(1, static_cast<int>(names.size()));
  project.actors = ActorList(spawnFor(character, names, spawn));
  return project;
}

// Drops the edits that a new file cannot keep: a trim outside the clip, a root that is not there, a
// loop offset of a clip that does not close.
static void dropUnfitEdits(std::vector<ProjectClip>& clips, const Character& character,
                           std::optional<double> seamMm) {
  for (ProjectClip& clip : clips) {
    ClipEdit& edit = clip.edit;
    const auto source = clipNamed(character, clip.name);
    if (!source) continue;
    const Clip& motion = character.clips[*source];
    if (!edit.root.joint.empty() && !findJoint(character.rig, edit.root.joint)) {
      edit.root.joint.clear();
    }
    const auto fits = [&](const ClipEdit& tried) {
      return editedClip(character, motion, tried, seamMm).has_value();
    };
    // Tests the trim by itself: another edit that does not fit must not remove a valid trim.
    if (edit.trim && !fits({.trim = edit.trim})) edit.trim.reset();
    if (edit.loopOffset != 0.0 && !fits(edit)) {
      ClipEdit whole = edit;
      whole.loopOffset = 0.0;
      if (fits(whole)) edit.loopOffset = 0.0;
    }
  }
}

std::vector<ProjectClip> adoptedClips(const std::vector<ProjectClip>& ours,
                                      const Character& character, std::optional<double> seamMm) {
  std::unordered_map<std::string_view, bool> taken;
  for (const Clip& clip : character.clips) taken.emplace(clip.name, false);
  std::vector<ProjectClip> clips;
  for (const ProjectClip& clip : ours) {
    const auto found = taken.find(clip.name);
    if (found == taken.end() || found->second) continue;
    found->second = true;
    clips.push_back(clip);
  }
  for (const Clip& clip : character.clips) {
    if (!taken[clip.name]) clips.push_back({.name = clip.name, .events = clip.events});
  }
  dropUnfitEdits(clips, character, seamMm);
  return clips;
}

void removeProp(Project& project, std::size_t prop) {
  project.props.erase(project.props.begin() + static_cast<std::ptrdiff_t>(prop));
  const auto number = static_cast<int>(prop);
  for (ProjectCrowd& crowd : project.crowds) {
    int& ground = crowd.spawn.groundProp;
    if (ground == number) ground = -1;
    if (ground > number) --ground;
  }
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

bool isFreeTitle(const std::vector<ProjectClip>& clips, std::size_t clip, std::string_view title) {
  if (title.empty() || title.find_first_of("\r\n") != std::string_view::npos) return false;
  for (std::size_t i = 0; i < clips.size(); ++i) {
    if (i != clip && titleOf(clips[i]) == title) return false;
  }
  return true;
}

std::filesystem::path findSample(const char* fileName) {
  namespace fs = std::filesystem;
  std::error_code failed;
  const fs::path program = fs::read_symlink("/proc/self/exe", failed);
  if (failed) return {};
  fs::path installed =
      program.parent_path().parent_path() / "share" / "crowdkiln" / "samples" / fileName;
  if (fs::is_regular_file(installed, failed)) return installed;
  for (fs::path folder = program.parent_path(); folder.has_relative_path();
       folder = folder.parent_path()) {
    fs::path built = folder / "resources" / "samples" / fileName;
    if (fs::is_regular_file(built, failed)) return built;
  }
  return {};
}

}  // namespace ck

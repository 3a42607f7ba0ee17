#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/project/project.h"

namespace ck {

// The inputs of each stage, as small values. A stage runs again when its inputs change.
struct ImportInputs {
  std::vector<SourceFile> sources;
  ImportSettings settings;
  bool operator==(const ImportInputs&) const = default;
};
ImportInputs importInputs(const ProjectCharacter& character);

// The bake settings of one clip of the project.
BakeClip bakeClipOf(const ProjectClip& clip);

// The settings to bake with: the ticked clips in order. If no clip is ticked the list is empty,
// which bake() takes for "all", so callers must check anyClipTicked() first.
BakeSettings bakeInputs(const ProjectCharacter& character);
bool anyClipTicked(const ProjectCharacter& character);

struct CrowdInputs {
  // One list per character, empty for a variant.
  std::vector<std::vector<std::string>> clipNames;
  std::vector<std::vector<std::vector<ClipEvent>>> clipEvents;
  ActorList actors;
  std::vector<JointMask> masks;
  std::vector<bool> shownCrowds;
  bool operator==(const CrowdInputs&) const = default;
};
CrowdInputs crowdInputs(const Project& project);

// The part of the file's timeline that a clip plays: from `startSeconds`, with length
// `durationSeconds` as played and `rate` seconds of the file per second. `offset` is the share of
// it that a loop leaves for its end (ClipEdit::loopOffset). Events outside are dropped.
struct EventWindow {
  double startSeconds = 0.0;
  double durationSeconds = 0.0;
  double rate = 1.0;
  double offset = 0.0;
};
EventWindow windowOf(const AtlasClip& clip);
std::vector<CrowdEvent> crowdEvents(const std::vector<ClipEvent>& events,
                                    const EventWindow& window);

// A new project for a character: all clips are ticked; a small varied crowd is spaced by the
// character's size.
Project newProjectFor(const Character& character, const std::vector<SourceFile>& sources);

// The project's clips for a newly read character. Clips of `ours` that still exist keep their
// order, ticks, titles, clip edits and events. New clips follow, ticked. A trim, loop offset or
// root joint that does not fit the clip any more is removed; `seamMm` is BakeRecipe::seamMm.
std::vector<ProjectClip> adoptedClips(const std::vector<ProjectClip>& ours,
                                      const Character& character,
                                      std::optional<double> seamMm = {});

// Removes a mask. Actors that use it use no mask afterwards.
void removeMask(Project& project, std::size_t mask);

// Removes a prop. Actors that stood on it stay where they are; later ones stand at y = 0.
void removeProp(Project& project, std::size_t prop);

// Whether a clip may have this title: not empty, unique, no line breaks.
bool isFreeTitle(const std::vector<ProjectClip>& clips, std::size_t clip, std::string_view title);

// The file to open if none is given: `humanoid.glb` in the samples next to the running program
// (../share/crowdkiln/samples), or in the source tree of the build (resources/samples in a folder
// above). Empty if it is not found.
std::filesystem::path findSample(const char* fileName = "humanoid.glb");

}  // namespace ck

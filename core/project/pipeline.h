#pragma once

#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "core/project/project.h"

namespace ck {

// What each stage depends on, as small values: a stage is run again when its inputs differ.
struct ImportInputs {
  std::vector<SourceFile> sources;
  ImportSettings settings;
  bool operator==(const ImportInputs&) const = default;
};
ImportInputs importInputs(const ProjectCharacter& character);

// One clip of the project as it would be baked.
BakeClip bakeClipOf(const ProjectClip& clip);

// The settings to bake with: the ticked clips in their order. With no clip ticked the list is
// empty, which bake() reads as "all": callers ask anyClipTicked() first.
BakeSettings bakeInputs(const ProjectCharacter& character);
bool anyClipTicked(const ProjectCharacter& character);

struct CrowdInputs {
  // One list per character, empty for a variant.
  std::vector<std::vector<std::string>> clipNames;
  std::vector<std::vector<std::vector<ClipEvent>>> clipEvents;
  ActorList actors;
  std::vector<JointMask> masks;
  bool operator==(const CrowdInputs&) const = default;
};
CrowdInputs crowdInputs(const Project& project);

// Where a clip's events lie in what plays of it: from `startSeconds` on the file's timeline,
// `durationSeconds` long as it plays, `rate` seconds of the file a second. Those outside are left
// out.
struct EventWindow {
  double startSeconds = 0.0;
  double durationSeconds = 0.0;
  double rate = 1.0;
};
std::vector<CrowdEvent> crowdEvents(const std::vector<ClipEvent>& events,
                                    const EventWindow& window);
// The same for clips that crowdClips() made of this atlas; `events` has one list per clip.
void setEvents(std::vector<CrowdClip>& clips, const Atlas& atlas,
               const std::vector<std::vector<ClipEvent>>& events);
// The same for an export of the atlas: one list for each of its clips, which are found by name.
std::vector<std::vector<CrowdEvent>> atlasEvents(const Atlas& atlas,
                                                 std::span<const ProjectClip> clips);

// A new project for a character: all clips ticked, a small varied crowd spaced by its size.
Project newProjectFor(const Character& character, const std::vector<SourceFile>& sources);

// The clips of a newly read character. Clips of `ours` that are still there keep their order,
// ticks, titles, edits and events; new ones follow, ticked. A trim that does not fit the clip any
// more is dropped.
std::vector<ProjectClip> adoptedClips(const std::vector<ProjectClip>& ours,
                                      const Character& character);

// Takes a mask out: actors that have it move all joints again.
void removeMask(Project& project, std::size_t mask);

// Whether a clip may be called `title`: not empty, no other clip's title, and no line breaks.
bool isFreeTitle(const std::vector<ProjectClip>& clips, std::size_t clip, std::string_view title);

// The file that a program opens when it is given none: `humanoid.glb` of the samples beside the
// running program (../share/crowdkiln/samples) or in the source tree that it was built in
// (resources/samples in a folder above it). Empty where there is none.
std::filesystem::path findSample(const char* fileName = "humanoid.glb");

}  // namespace ck

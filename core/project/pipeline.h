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
ImportInputs importInputs(const Project& project);

// One clip of the project as it would be baked.
BakeClip bakeClipOf(const ProjectClip& clip);

// The settings to bake with: the ticked clips in their order. With no clip ticked the list is
// empty, which bake() reads as "all": callers ask anyClipTicked() first.
BakeSettings bakeInputs(const Project& project);
bool anyClipTicked(const Project& project);

struct CrowdInputs {
  std::vector<std::string> clipNames;
  std::vector<std::vector<ClipEvent>> clipEvents;       // one list per clip
  std::vector<std::vector<std::string>> castClipNames;  // one list per member of the cast
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

// Metres between neighbours that leave a character of this size room to move.
double spacingFor(const Character& character);

// spawnCast() (core/project/cast.h) for one character alone. Actor::clip indexes `clipNames`.
std::vector<Actor> spawnFor(const Character& character, const std::vector<std::string>& clipNames,
                            const SpawnSettings& settings);

// Puts the clips of a newly read character into the project by name: keeps ticks, titles and
// shapes, drops those that are gone (their actors go to the first clip), adds new ones ticked. A
// trim that does not fit the clip any more is dropped.
void adoptClips(Project& project, const Character& character);

// Takes a mask out: actors that have it move all joints again.
void removeMask(Project& project, std::size_t mask);

// Puts the clips into another order: `order` holds every index of Project::clips once. Actors keep
// playing what they play.
void reorderClips(Project& project, const std::vector<int>& order);

// Whether a clip may be called `title`: not empty, no other clip's title, and no line breaks.
bool isFreeTitle(const Project& project, std::size_t clip, std::string_view title);

// The file that a program opens when it is given none: `humanoid.glb` of the samples beside the
// running program (../share/crowdkiln/samples) or in the source tree that it was built in
// (resources/samples in a folder above it). Empty where there is none.
std::filesystem::path findSample(const char* fileName = "humanoid.glb");

}  // namespace ck

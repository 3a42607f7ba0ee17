#include "core/stage/atlas_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/stage/pipeline.h"

namespace ck {
namespace {

// The events of the rig file within the baked part of a clip.
std::vector<CrowdEvent> eventsOfFile(const Character& character, const AtlasClip& baked) {
  const auto clip = clipNamed(character, sourceNameOf(baked));
  if (!clip) return {};
  return crowdEvents(character.clips[*clip].events, windowOf(baked));
}

// Takes an event of that name and time out of the list. Returns whether there was one.
bool take(std::vector<CrowdEvent>& events, const std::string& name, double unit) {
  constexpr double kSameUnit = 1e-6;
  const auto found = std::ranges::find_if(events, [&](const CrowdEvent& event) {
    return event.name == name && std::abs(event.unit - unit) <= kSameUnit;
  });
  if (found == events.end()) return false;
  events.erase(found);
  return true;
}

}  // namespace

std::vector<ExportedEvents> atlasEvents(const Atlas& atlas, const Character& character,
                                        std::span<const ProjectClip> clips) {
  std::vector<ExportedEvents> events;
  bool any = false;
  for (const AtlasClip& baked : atlas.clips) {
    std::vector<CrowdEvent> file = eventsOfFile(character, baked);
    any = any || !file.empty();
    ExportedEvents& own = events.emplace_back();
    const auto clip = std::ranges::find(clips, sourceNameOf(baked), &ProjectClip::name);
    if (clip != clips.end()) {
      for (CrowdEvent& event : crowdEvents(clip->events, windowOf(baked))) {
        const bool added = !take(file, event.name, event.unit);
        own.list.push_back({std::move(event.name), event.unit, added});
      }
    }
    own.leftOut = static_cast<int>(file.size());
    any = any || !own.list.empty();
  }
  if (!any) events.clear();
  return events;
}

std::string firstFalseEvent(const Atlas& atlas, const Character& character,
                            std::span<const ExportedEvents> exported) {
  for (std::size_t c = 0; c < exported.size(); ++c) {
    const AtlasClip& baked = atlas.clips[c];
    std::vector<CrowdEvent> file = eventsOfFile(character, baked);
    const auto secondsOf = [&baked](double unit) {
      return baked.startSeconds + unit * baked.durationSeconds * baked.edit.rate;
    };
    for (const ExportedEvent& event : exported[c].list) {
      if (event.added || take(file, event.name, event.unit)) continue;
      return fmt::format("clip '{}' has no event '{}' at {:.4f} s in the rig file", baked.name,
                         event.name, secondsOf(event.unit));
    }
    const auto left = static_cast<std::size_t>(exported[c].leftOut);
    if (file.size() == left) continue;
    if (file.size() < left) {
      return fmt::format("clip '{}' states that {} events of the rig file are left out, but {} are",
                         baked.name, left, file.size());
    }
    return fmt::format("clip '{}' lacks the event '{}' that the rig file has at {:.4f} s",
                       baked.name, file.front().name, secondsOf(file.front().unit));
  }
  return {};
}

}  // namespace ck

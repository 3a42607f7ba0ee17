#include "core/import/worker/gltf/gltf_events.h"

#include <fmt/format.h>
#include <tiny_gltf.h>

#include <cmath>
#include <optional>

#include "core/import/worker/text/names.h"

namespace ck::worker {
namespace {

constexpr std::size_t kMostEvents = 1000;  // per clip
constexpr double kLatestSeconds = 24.0 * 3600.0;

std::optional<double> secondsOf(const tinygltf::Value& value) {
  if (!value.IsNumber()) return std::nullopt;
  const double seconds = value.GetNumberAsDouble();
  return std::abs(seconds) <= kLatestSeconds ? std::optional(seconds) : std::nullopt;
}

// Collects valid events and counts invalid ones.
class EventList {
 public:
  void add(std::string_view name, std::optional<double> seconds) {
    if (!seconds || events_.size() >= kMostEvents) {
      ++dropped_;
      return;
    }
    events_.push_back({cleanText(name), *seconds});
  }

  // {"name": "step", "seconds": 0.25}, or "time" instead of "seconds".
  void addObject(const tinygltf::Value& entry) {
    if (!entry.IsObject() || !entry.Has("name") || !entry.Get("name").IsString()) {
      ++dropped_;
      return;
    }
    const char* key = entry.Has("seconds") ? "seconds" : "time";
    const auto seconds = entry.Has(key) ? secondsOf(entry.Get(key)) : std::nullopt;
    add(entry.Get("name").Get<std::string>(), seconds);
  }

  // "step": 0.25, or "step": [0.25, 0.75].
  void addNamed(const std::string& name, const tinygltf::Value& times) {
    if (!times.IsArray()) return add(name, secondsOf(times));
    for (std::size_t i = 0; i < times.ArrayLen(); ++i) {
      add(name, secondsOf(times.Get(static_cast<int>(i))));
    }
  }

  std::size_t dropped() const { return dropped_; }
  std::vector<ClipEvent> taken() && { return std::move(events_); }

 private:
  std::vector<ClipEvent> events_;
  std::size_t dropped_ = 0;
};

}  // namespace

std::vector<ClipEvent> gltfEvents(const tinygltf::Animation& source, const std::string& shownName,
                                  Notes& notes) {
  if (!source.extras.IsObject()) return {};
  EventList list;
  for (const char* key : {"events", "markers"}) {
    if (!source.extras.Has(key)) continue;
    const tinygltf::Value& value = source.extras.Get(key);
    if (value.IsArray()) {
      for (std::size_t i = 0; i < value.ArrayLen(); ++i) {
        list.addObject(value.Get(static_cast<int>(i)));
      }
    } else if (value.IsObject()) {
      for (const std::string& name : value.Keys()) list.addNamed(name, value.Get(name));
    }
  }
  if (list.dropped() > 0) {
    notes.push_back(
        {Note::Level::Warning, "EventDropped",
         fmt::format("clip '{}': {} events have no name, no time in seconds, or are more than {}",
                     shownName, list.dropped(), kMostEvents)});
  }
  return std::move(list).taken();
}

}  // namespace ck::worker

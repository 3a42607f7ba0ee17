#include "ui/playback/visible_crowd.h"

#include <algorithm>
#include <numeric>

#include "core/crowd/crowd_spawn.h"
#include "core/project/characters.h"
#include "core/stage/pipeline.h"
#include "ui/playback/frame_budget.h"

namespace ck::ui {
namespace {

// How long an actor that has passed an event is lit, and how many are at once: more are a blur.
constexpr qint64 kFlashMs = 160;
constexpr std::size_t kMostFlashes = 4096;
constexpr std::uint32_t kFlashTint = 0xffe14d;

}  // namespace

void VisibleCrowd::clear() {
  crowd_.reset();
  builtOf_.reset();
  given_.clear();
  flashes_.clear();
  wanted_ = 0;
}

std::size_t VisibleCrowd::mostAtOnce() const {
  if (allAtOnce_) return SIZE_MAX;
  const std::size_t shown = crowd_ ? crowd_->size() : 0;
  return std::max(FrameBudget::kFirst, shown * FrameBudget::kGrowth);
}

// A fixed random number per actor decides which are drawn, so that the same ones stay when the
// limit changes; those preferred may take up to half of the places.
std::vector<int> VisibleCrowd::drawnOf(std::size_t actors) const {
  std::vector<int> drawn(actors);
  std::iota(drawn.begin(), drawn.end(), 0);
  if (limit_ >= wanted_) return drawn;
  const double places = double(limit_);
  const double preferred = double(preferred_.size());
  const double others = double(wanted_) - preferred;
  const double wish = std::min(preferred, places * 0.5);
  const double ofPreferred = preferred > 0.0 ? wish / preferred : 1.0;
  const double ofOthers = others > 0.0 ? (places - wish) / others : 1.0;
  std::erase_if(drawn, [&](int actor) {
    const bool isPreferred = std::ranges::binary_search(preferred_, actor);
    const double share = isPreferred ? ofPreferred : ofOthers;
    return randomUnit(0x63726f7764, std::size_t(actor), 0) >= share;
  });
  return drawn;
}

void VisibleCrowd::build(const Project& project, std::span<const std::vector<CrowdClip>> clips,
                         const SoloClip& solo, double seconds) {
  const ActorList& all = project.actors;
  wanted_ = 0;
  for (std::size_t i = 0; i < all.size(); ++i) wanted_ += all[i].on ? 1 : 0;
  if (wanted_ > mostAtOnce()) limit_ = std::min(limit_, mostAtOnce());
  std::optional<Inputs> inputs;
  if (solo.clip < 0) inputs = {all, {clips.begin(), clips.end()}, project.masks};
  std::vector<int> drawn = drawnOf(all.size());
  const bool isSame = crowd_ && flashes_.empty() && inputs && inputs == builtOf_ && drawn == given_;
  if (isSame) return crowd_->seek(seconds);
  flashes_.clear();
  builtOf_ = std::move(inputs);
  given_ = std::move(drawn);
  std::vector<Actor> actors;
  actors.reserve(given_.size());
  for (const int i : given_) {
    Actor& actor = actors.emplace_back(all[std::size_t(i)]);
    if (solo.clip >= 0 && shareRig(project, actor.character, solo.character)) {
      actor.clip = solo.clip;
    }
  }
  crowd_.emplace(actors, clips, project.masks);
  crowd_->seek(seconds);
}

std::vector<std::uint32_t> VisibleCrowd::visibleOf(const std::vector<int>& actors) const {
  std::vector<std::uint32_t> visible;
  if (!crowd_ || actors.empty()) return visible;
  for (std::size_t i = 0; i < crowd_->size(); ++i) {
    if (std::binary_search(actors.begin(), actors.end(), actorOf(i))) {
      visible.push_back(static_cast<std::uint32_t>(i));
    }
  }
  return visible;
}

bool VisibleCrowd::setLimit(std::size_t limit) {
  return std::exchange(limit_, limit) != limit;
}

bool VisibleCrowd::setPreferred(std::vector<int> actors) {
  std::sort(actors.begin(), actors.end());
  return std::exchange(preferred_, actors) != actors && limit_ < wanted_;
}

void VisibleCrowd::seek(double seconds) {
  if (crowd_) crowd_->seek(seconds);
}

std::vector<FiredEvent> VisibleCrowd::advance(double seconds, const ActorList& actors) {
  if (!crowd_) return {};
  const double before = crowd_->timeSeconds();
  crowd_->advance(seconds);
  endFlashes(actors);
  std::vector<FiredEvent> events = crowd_->eventsBetween(before, crowd_->timeSeconds());
  for (const FiredEvent& event : events) {
    if (event.weight < 0.5 || flashes_.size() >= kMostFlashes) continue;
    flashes_.push_back({event.actor, clock_.elapsed() + kFlashMs});
    crowd_->setTint(event.actor, kFlashTint);
  }
  return events;
}

// Actors that flash again stay lit.
void VisibleCrowd::endFlashes(const ActorList& actors) {
  while (!flashes_.empty() && flashes_.front().untilMs <= clock_.elapsed()) {
    const std::size_t visible = flashes_.front().visible;
    flashes_.pop_front();
    if (std::ranges::find(flashes_, visible, &Flash::visible) != flashes_.end()) continue;
    crowd_->setTint(visible, actors[std::size_t(actorOf(visible))].tint);
  }
}

}  // namespace ck::ui

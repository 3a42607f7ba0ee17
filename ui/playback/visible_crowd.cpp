#include "ui/playback/visible_crowd.h"

#include <algorithm>
#include <numeric>
#include <ranges>
#include <utility>

#include "core/crowd/crowd_spawn.h"
#include "core/project/characters.h"
#include "core/project/crowds.h"
#include "core/stage/pipeline.h"
#include "ui/playback/frame_budget.h"

namespace ck::ui {
namespace {

// How long an actor that has passed an event is lit, and how many are at once: more are a blur.
constexpr qint64 kFlashMs = 160;
constexpr std::size_t kMostFlashes = 4096;
constexpr std::uint32_t kFlashTint = 0xffe14d;

std::vector<bool> shownCrowds(const Project& project) {
  std::vector<bool> shown;
  for (const ProjectCrowd& crowd : project.crowds) shown.push_back(crowd.on);
  return shown;
}

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
  if (solo.clip < 0 && update(project, clips)) return crowd_->seek(seconds);
  const ActorList& all = project.actors;
  wanted_ = 0;
  for (std::size_t i = 0; i < all.size(); ++i) wanted_ += isShown(project, all[i]) ? 1 : 0;
  if (wanted_ > mostAtOnce()) limit_ = std::min(limit_, mostAtOnce());
  flashes_.clear();
  builtOf_.reset();
  if (solo.clip < 0) {
    builtOf_ = {all, {clips.begin(), clips.end()}, project.masks, shownCrowds(project)};
  }
  given_ = drawnOf(all.size());
  std::vector<Actor> actors;
  actors.reserve(given_.size());
  for (const int i : given_) {
    Actor& actor = actors.emplace_back(all[std::size_t(i)]);
    actor.on = isShown(project, actor);
    if (solo.clip >= 0 && shareRig(project, actor.character, solo.character)) {
      actor.clip = solo.clip;
    }
  }
  crowd_.emplace(actors, clips, project.masks);
  crowd_->seek(seconds);
}

// Returns whether the crowd is now as one that is made of these. Actors that come or go change the
// numbers of others, for which a new crowd costs no more.
bool VisibleCrowd::update(const Project& project, std::span<const std::vector<CrowdClip>> clips) {
  if (!builtOf_ || builtOf_->actors.size() != project.actors.size() ||
      builtOf_->masks != project.masks || builtOf_->shownCrowds != shownCrowds(project) ||
      !std::ranges::equal(builtOf_->clips, clips)) {
    return false;
  }
  // All are drawn in most windows.
  const std::size_t count = project.actors.size();
  const bool isDrawn = limit_ < wanted_ ? drawnOf(count) == given_ : given_.size() == count;
  if (!isDrawn) return false;
  constexpr std::size_t kFew = 100;  // at most one of so many actors
  // Each edit of an actor that walks or fades moves those behind it in their lists.
  constexpr std::size_t kMost = 64;
  const std::vector<std::size_t> changed = builtOf_->actors.differences(project.actors);
  const auto comesOrGoes = [&](std::size_t actor) {
    const Actor& before = builtOf_->actors[actor];
    const Actor& now = project.actors[actor];
    return before.on != now.on || before.character != now.character || before.crowd != now.crowd;
  };
  if (changed.size() > std::min(kMost, 1 + count / kFew) ||
      std::ranges::any_of(changed, comesOrGoes)) {
    return false;
  }
  for (const Flash& flash : std::exchange(flashes_, {})) {
    crowd_->setTint(flash.visible, project.actors[std::size_t(actorOf(flash.visible))].tint);
  }
  for (const std::size_t actor : changed) {
    for (const std::uint32_t visible : visibleOf({int(actor)})) {
      crowd_->update(visible, project.actors[actor]);
    }
  }
  builtOf_->actors = project.actors;
  return true;
}

std::vector<std::uint32_t> VisibleCrowd::visibleOf(const std::vector<int>& actors) const {
  std::vector<std::uint32_t> visible;
  if (!crowd_) return visible;
  const auto all = std::views::iota(std::size_t(0), crowd_->size());
  const auto number = [this](std::size_t one) { return actorOf(one); };
  for (const int actor : actors) {
    const auto found = std::ranges::lower_bound(all, actor, {}, number);
    if (found != all.end() && actorOf(*found) == actor) visible.push_back(std::uint32_t(*found));
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

#include "ui/document/shown_crowd.h"

#include <algorithm>

#include "core/crowd/crowd_spawn.h"
#include "core/project/characters.h"
#include "core/project/pipeline.h"
#include "ui/document/frame_budget.h"

namespace ck::ui {
namespace {

// How long an actor that has passed an event is lit, and how many are at once: more are a blur.
constexpr qint64 kFlashMs = 160;
constexpr std::size_t kMostFlashes = 4096;
constexpr std::uint32_t kFlashTint = 0xffe14d;

// Which actors are shown where not all can be. A fixed random number per actor decides, so that the
// same ones stay when the share changes; those preferred may take up to half of the places.
class ShownShare {
 public:
  ShownShare(std::size_t limit, std::size_t wanted, const std::vector<int>& preferred)
      : preferred_(preferred) {
    if (limit >= wanted) return;
    const double places = double(limit);
    const double wish = std::min(double(preferred.size()), places * 0.5);
    if (!preferred.empty()) ofPreferred_ = wish / double(preferred.size());
    const double others = double(wanted) - double(preferred.size());
    ofOthers_ = others > 0.0 ? (places - wish) / others : 1.0;
  }

  bool has(std::size_t actor) const {
    if (ofOthers_ >= 1.0 && ofPreferred_ >= 1.0) return true;
    const bool isPreferred =
        std::binary_search(preferred_.begin(), preferred_.end(), static_cast<int>(actor));
    return randomUnit(0x63726f7764, actor, 0) < (isPreferred ? ofPreferred_ : ofOthers_);
  }

 private:
  const std::vector<int>& preferred_;
  double ofPreferred_ = 1.0;
  double ofOthers_ = 1.0;
};

}  // namespace

void ShownCrowd::clear() {
  crowd_.reset();
  given_.clear();
  flashes_.clear();
  wanted_ = 0;
}

std::size_t ShownCrowd::mostAtOnce() const {
  if (allAtOnce_) return SIZE_MAX;
  const std::size_t shown = crowd_ ? crowd_->size() : 0;
  return std::max(FrameBudget::kFirst, shown * FrameBudget::kGrowth);
}

void ShownCrowd::build(const Project& project, std::span<const std::vector<CrowdClip>> clips,
                       const SoloClip& solo, double seconds) {
  const ActorList& all = project.actors;
  given_.clear();
  flashes_.clear();
  wanted_ = 0;
  for (std::size_t i = 0; i < all.size(); ++i) wanted_ += all[i].on ? 1 : 0;
  if (wanted_ > mostAtOnce()) limit_ = std::min(limit_, mostAtOnce());
  const ShownShare share(limit_, wanted_, preferred_);
  std::vector<Actor> actors;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!share.has(i)) continue;
    actors.push_back(all[i]);
    if (solo.clip >= 0 && shareRig(project, all[i].character, solo.character)) {
      actors.back().clip = solo.clip;
    }
    given_.push_back(static_cast<int>(i));
  }
  crowd_.emplace(actors, clips, project.masks);
  crowd_->seek(seconds);
}

std::vector<std::uint32_t> ShownCrowd::visibleOf(const std::vector<int>& actors) const {
  std::vector<std::uint32_t> visible;
  if (!crowd_ || actors.empty()) return visible;
  for (std::size_t i = 0; i < crowd_->size(); ++i) {
    if (std::binary_search(actors.begin(), actors.end(), actorOf(i))) {
      visible.push_back(static_cast<std::uint32_t>(i));
    }
  }
  return visible;
}

bool ShownCrowd::setLimit(std::size_t limit) {
  return std::exchange(limit_, limit) != limit;
}

bool ShownCrowd::setPreferred(std::vector<int> actors) {
  std::sort(actors.begin(), actors.end());
  return std::exchange(preferred_, actors) != actors && limit_ < wanted_;
}

void ShownCrowd::seek(double seconds) {
  if (crowd_) crowd_->seek(seconds);
}

std::vector<FiredEvent> ShownCrowd::advance(double seconds, const ActorList& actors) {
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
void ShownCrowd::endFlashes(const ActorList& actors) {
  const qint64 now = clock_.elapsed();
  const auto over = std::find_if(flashes_.begin(), flashes_.end(),
                                 [now](const Flash& flash) { return flash.untilMs > now; });
  if (over == flashes_.begin()) return;
  std::vector<std::size_t> ended;
  for (auto it = flashes_.begin(); it != over; ++it) ended.push_back(it->visible);
  flashes_.erase(flashes_.begin(), over);
  for (const std::size_t visible : ended) {
    const auto lit = [visible](const Flash& flash) { return flash.visible == visible; };
    if (std::any_of(flashes_.begin(), flashes_.end(), lit)) continue;
    crowd_->setTint(visible, actors[std::size_t(actorOf(visible))].tint);
  }
}

}  // namespace ck::ui

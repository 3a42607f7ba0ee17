#include "core/project/actors/brush.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/crowd/crowd_spawn.h"
#include "core/crowd/formations.h"
#include "core/project/crowds.h"

namespace ck {
namespace {

// Every choice uses its own random stream, so that adding a choice does not change the others.
enum Stream : std::uint64_t {
  kStrokeStream = 201,
  kAwayStream,
  kTurnStream,
  kChosenStream,
  kOffsetStream,
  kRateStream,
  kSizeStream,
};

constexpr int kPool = 256;
constexpr double kPi = 3.141592653589793;
// The share of the area of a full circle that actors take who are thrown at random.
constexpr double kFullest = 0.7;

glm::dvec2 onGround(const Actor& actor) {
  return {actor.position.x, actor.position.z};
}

double squareOfLength(const glm::dvec2& way) {
  return glm::dot(way, way);
}

// Leaves this clip alone to the character's part.
void keepClip(std::vector<SpawnPart>& parts, int character, int clip) {
  SpawnPart& part = parts[static_cast<std::size_t>(character)];
  const auto found = std::ranges::find(part.clips, clip);
  if (found == part.clips.end()) return;
  const auto at = static_cast<std::size_t>(found - part.clips.begin());
  part.clips = {clip};
  part.clipNames = {part.clipNames[at]};
  if (at < part.hasWay.size()) part.hasWay = {part.hasWay[at]};
}

}  // namespace

BrushStroke::BrushStroke(const Project& project, const BrushSettings& settings,
                         std::span<const SpawnPart> parts, GroundMeshPtr ground,
                         std::uint64_t number, std::vector<glm::dvec2> shown)
    : settings_(settings),
      crowd_(chosenCrowd(project)),
      dealing_(chosen(project).spawn),
      parts_(parts.begin(), parts.end()),
      ground_(std::move(ground)),
      seed_(dealing_.seed + static_cast<std::uint64_t>(1e9 * randomUnit(number, 0, kStrokeStream))),
      actors_(project.actors.toVector()),
      shown_(std::move(shown)),
      gone_(actors_.size(), 0),
      touched_(actors_.size(), 0) {
  for (std::size_t i = shown_.size(); i < actors_.size(); ++i) {
    shown_.push_back(onGround(actors_[i]));
  }
  for (const Actor& actor : actors_) {
    hidden_.push_back(project.crowds[static_cast<std::size_t>(actor.crowd)].on ? 0 : 1);
  }
  settings_.spacingMeters = std::max(settings_.spacingMeters, 1e-3);
  dealing_.count = kPool;
  dealing_.formation = Formation::Disc;  // whose actors look anywhere
  dealing_.seed = seed_;
  if (settings_.character >= 0 && settings_.character < static_cast<int>(parts_.size())) {
    dealing_.shares.assign(parts_.size(), 0.0);
    dealing_.shares[static_cast<std::size_t>(settings_.character)] = 1.0;
    if (settings_.clip >= 0) keepClip(parts_, settings_.character, settings_.clip);
  }
  if (settings_.mode != BrushMode::Place) return;
  for (std::size_t i = 0; i < actors_.size(); ++i) {
    if (hidden_[i] == 0)
      squares_[squareOf(onGround(actors_[i]))].push_back(static_cast<std::uint32_t>(i));
  }
}

void BrushStroke::dab(const glm::dvec2& center, const glm::dvec2& ahead) {
  if (settings_.mode == BrushMode::Place) return place(center);
  changeInside(center, ahead);
}

double BrushStroke::random(std::uint64_t index, std::uint64_t stream) const {
  return randomUnit(seed_, index, stream);
}

std::uint64_t BrushStroke::squareOf(const glm::dvec2& place) const {
  const auto number = [this](double meters) {
    return static_cast<std::uint64_t>(
        static_cast<std::int64_t>(std::floor(meters / settings_.spacingMeters)));
  };
  return (number(place.x) << 32) ^ (number(place.y) & 0xffffffffu);
}

bool BrushStroke::hasRoom(const glm::dvec2& place) const {
  const double least = settings_.spacingMeters * settings_.spacingMeters;
  for (int z = -1; z <= 1; ++z) {
    for (int x = -1; x <= 1; ++x) {
      const auto square =
          squares_.find(squareOf(place + glm::dvec2(x, z) * settings_.spacingMeters));
      if (square == squares_.end()) continue;
      for (const std::uint32_t other : square->second) {
        if (squareOfLength(onGround(actors_[other]) - place) < least) return false;
      }
    }
  }
  return true;
}

const Actor& BrushStroke::nextDealt() {
  if (nextInPool_ == pool_.size()) {
    pool_ = spawnCrowd(parts_, dealing_);
    ++dealing_.seed;
    nextInPool_ = 0;
  }
  return pool_[nextInPool_++];
}

// Throws darts into the circle (Cook 1986), until it is as full as asked. The first one of a brush
// that is smaller than the spacing hits the centre: it places single actors exactly.
void BrushStroke::place(const glm::dvec2& center) {
  const double radius = settings_.radiusMeters;
  const double full =
      kFullest *
      std::max(1.0, radius * radius * 4.0 / (settings_.spacingMeters * settings_.spacingMeters));
  const int most = std::max(1, static_cast<int>(std::lround(full * settings_.strength)));
  int inside = 0;
  for (std::size_t i = 0; i < actors_.size(); ++i) {
    const bool isHidden = i < hidden_.size() && hidden_[i] != 0;
    if (!isHidden && squareOfLength(onGround(actors_[i]) - center) <= radius * radius) ++inside;
  }
  const int tries = 12 * most;
  for (int i = 0; i < tries && inside < most; ++i) {
    const std::uint64_t draw = tries_++;
    const bool exact = i == 0 && radius < settings_.spacingMeters;
    const double away = exact ? 0.0 : std::sqrt(random(draw, kAwayStream)) * radius;
    const glm::dvec2 at = center + onCircle(random(draw, kTurnStream)) * away;
    if (!hasRoom(at)) continue;
    const auto height = ground_ ? ground_->heightAt(at) : std::optional(0.0);
    if (!height) continue;
    Actor actor = nextDealt();
    actor.position = glm::vec3(glm::dvec3(at.x, *height, at.y));
    actor.byHand = true;
    actor.crowd = crowd_;
    squares_[squareOf(onGround(actor))].push_back(static_cast<std::uint32_t>(actors_.size()));
    actors_.push_back(actor);
    ++inside;
    ++changed_;
  }
}

void BrushStroke::changeInside(const glm::dvec2& center, const glm::dvec2& ahead) {
  const double radius = settings_.radiusMeters;
  for (std::size_t i = 0; i < actors_.size(); ++i) {
    if (hidden_[i] != 0 || gone_[i] != 0 || squareOfLength(shown_[i] - center) > radius * radius)
      continue;
    change(i, ahead);
  }
}

void BrushStroke::change(std::size_t actor, const glm::dvec2& ahead) {
  const auto index = static_cast<std::uint64_t>(actor);
  Actor& one = actors_[actor];
  if (settings_.mode == BrushMode::Turn) {
    if (!(squareOfLength(ahead) > 0.0)) return;
    const double wanted = std::atan2(ahead.x, ahead.y) * 180.0 / kPi;
    const double now = static_cast<double>(one.rotationDegrees.y);
    const double turned = now + std::remainder(wanted - now, 360.0) * settings_.strength;
    one.rotationDegrees.y = static_cast<float>(std::remainder(turned, 360.0));
    one.byHand = true;
    changed_ += std::exchange(touched_[actor], 1) == 0 ? 1 : 0;
    return;
  }
  // Once a stroke, so that one that comes back does not reach everybody in the end.
  if (std::exchange(touched_[actor], 1) != 0) return;
  if (random(index, kChosenStream) >= settings_.strength) return;
  ++changed_;
  if (settings_.mode == BrushMode::Erase) {
    gone_[actor] = 1;
    return;
  }
  const auto spread = [&](std::uint64_t stream, double most) {
    return static_cast<float>(1.0 + (random(index, stream) * 2.0 - 1.0) * most);
  };
  if (settings_.varyOffset) one.offset = static_cast<float>(random(index, kOffsetStream));
  if (one.offset >= 1.0f) one.offset = 0.0f;
  if (settings_.rateSpread > 0.0) one.rate = spread(kRateStream, settings_.rateSpread);
  if (settings_.sizeSpread > 0.0) one.scale = spread(kSizeStream, settings_.sizeSpread);
  if (settings_.varyTint) one.tint = nextDealt().tint;
}

void BrushStroke::apply(Project& project) const {
  std::vector<Actor> actors;
  actors.reserve(actors_.size());
  std::vector<int> selected;
  std::size_t next = 0;
  const std::vector<int>& before = project.desk.selected;
  for (std::size_t i = 0; i < actors_.size(); ++i) {
    while (next < before.size() && static_cast<std::size_t>(before[next]) < i) ++next;
    const bool wasSelected = next < before.size() && static_cast<std::size_t>(before[next]) == i;
    if (i < gone_.size() && gone_[i] != 0) continue;
    if (wasSelected) selected.push_back(static_cast<int>(actors.size()));
    actors.push_back(actors_[i]);
  }
  project.desk.selected = std::move(selected);
  project.actors = ActorList(actors);
  recount(project);
}

}  // namespace ck

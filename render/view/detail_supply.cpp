#include "render/view/detail_supply.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "core/base/log.h"
#include "core/detail/detail_levels.h"

namespace ck::render {
namespace {

// A mesh whose error is this share of the height or less looks like the whole one in a picture.
constexpr double kPictureMeshShare = 0.015;
constexpr std::size_t kPictureBytes = std::size_t{16} << 20;

// The graphics memory of a level, roughly: vertices and indices.
std::size_t bytesOf(const DetailLevel& level) {
  return level.vertices * sizeof(GpuVertex) + level.triangles * 3 * sizeof(std::uint16_t);
}

}  // namespace

// The levels of one character, made by a thread.
class DetailSupply::Job {
 public:
  explicit Job(CharacterPtr character)
      : thread_([this, character](std::stop_token stop) {
          JobContext context{.stop = std::move(stop)};
          context.threadCount = 1;  // beside frames
          auto made = makeDetailLevels(character, context);
          const std::scoped_lock lock(mutex_);
          levels_ = std::move(made);
        }) {}

  // Nothing while it is at work.
  const Result<DetailLevels>* levels() const {
    const std::scoped_lock lock(mutex_);
    return levels_ ? &*levels_ : nullptr;
  }
  void wait() {
    if (thread_.joinable()) thread_.join();
  }

 private:
  mutable std::mutex mutex_;
  std::optional<Result<DetailLevels>> levels_;
  std::jthread thread_;  // last, so that it ends first
};

void DetailSupply::takeLevels(const CharacterRenderer& whole) {
  const Result<DetailLevels>* found = job_->levels();
  if (found == nullptr || made_.levelsTaken) return;
  made_.levelsTaken = true;
  if (!*found) {
    log().warn("{}: no simpler meshes: {}", whole.character()->character->name,
               found->error().message);
    return;
  }
  const std::vector<DetailLevel>& levels = (*found)->levels;
  // A small budget goes to the coarsest meshes first.
  std::size_t first = levels.size();
  while (first > 1 &&
         (mostBytes_ == 0 || made_.levelBytes + bytesOf(levels[first - 1]) <= mostBytes_)) {
    made_.levelBytes += bytesOf(levels[--first]);
  }
  for (std::size_t number = 1; number < levels.size(); ++number) {
    const DetailLevel& level = levels[number];
    if (number < first) {
      made_.refused.push_back({.level = number, .bytes = bytesOf(level)});
      continue;
    }
    auto uploaded = uploadLevel(level.character, *whole.character());
    if (!uploaded) {
      log().warn("{}: fewer simple meshes: {}", whole.character()->character->name,
                 uploaded.error().message);
      break;
    }
    auto mesh =
        CharacterRenderer::makeLevel(whole, std::make_shared<CharacterGpu>(std::move(*uploaded)));
    made_.levels.push_back(
        {number, std::move(mesh), level.influences, level.collapsedJoints, level.errorMeters});
  }
}

// Pictures of the coarsest mesh that looks the same at their size cost least to draw.
void DetailSupply::startPictures(const CharacterRenderer& whole, ShaderLibrary& shaders,
                                 const ContextFacts& facts) {
  if (made_.picturesTried) return;
  made_.picturesTried = true;
  const ActorReach& reach = whole.reach();
  std::shared_ptr<CharacterGpu> mesh = whole.character();
  for (const Level& level : made_.levels) {
    if (level.errorMeters > kPictureMeshShare * (reach.high - reach.low)) break;
    mesh = level.mesh->character();
  }
  const std::size_t room =
      mostBytes_ > 0 ? mostBytes_ - std::min(mostBytes_, made_.levelBytes) : kPictureBytes;
  auto pictures = ImpostorSet::make(std::move(mesh), whole.atlas(), whole.hiddenMeshes(), shaders,
                                    facts, std::min(room, kPictureBytes));
  if (pictures) {
    made_.pictures = std::move(*pictures);
  } else if (room < kPictureBytes && pictures.error().code == ErrorCode::LimitExceeded) {
    made_.refused.push_back({.kind = DetailStats::Way::Kind::Picture, .bytes = kPictureBytes});
  } else {
    log().warn("{}: no pictures for far actors: {}", whole.character()->character->name,
               pictures.error().message);
  }
}

void DetailSupply::goOn(const CharacterRenderer& whole, std::size_t mostBytes,
                        ShaderLibrary& shaders, const ContextFacts& facts, double milliseconds) {
  if (std::exchange(mostBytes_, mostBytes) != mostBytes) drop();
  if (!job_) job_ = std::make_shared<Job>(whole.character()->character);
  takeLevels(whole);
  if (!made_.levelsTaken) return;
  startPictures(whole, shaders, facts);
  if (!made_.pictures || made_.pictures->isReady()) return;
  if (auto went = made_.pictures->goOn(milliseconds); !went) {
    log().warn("{}: no pictures for far actors: {}", whole.character()->character->name,
               went.error().message);
    made_.pictures.reset();
  }
}

void DetailSupply::complete(const CharacterRenderer& whole, ShaderLibrary& shaders,
                            const ContextFacts& facts) {
  if (!job_) return;
  job_->wait();
  constexpr double kAtOnce = 1e3;
  while (isPending()) goOn(whole, mostBytes_, shaders, facts, kAtOnce);
}

}  // namespace ck::render

#include "ui/playback/clip_thumbnails.h"

#include <algorithm>

#include "core/anim/edited_clip.h"
#include "core/anim/pose.h"
#include "core/skinning/pose_thumbnail.h"
#include "ui/document/session.h"
#include "ui/document/text.h"
#include "ui/playback/playback.h"

namespace ck::ui {
namespace {

constexpr std::size_t kBatch = 6;
constexpr qsizetype kMostImages = 2000;
// Older requests than these are dropped.
constexpr std::size_t kMostWishes = 200;

QImage imageOf(const Character& character, const std::string& name, double seconds, int pixels) {
  const auto clip = std::find_if(character.clips.begin(), character.clips.end(),
                                 [&name](const Clip& one) { return one.name == name; });
  if (clip == character.clips.end()) return {};
  const auto still = editedClip(character, *clip, {.root = {.motion = RootMotion::Strip}});
  const Clip& shown = still ? *still : *clip;
  const Image thumbnail = drawPose(character, skinMatricesAt(character.rig, shown, seconds),
                                   poseViewOf(character), pixels, pixels);
  return QImage(thumbnail.rgba.data(), thumbnail.width, thumbnail.height,
                qsizetype(thumbnail.width) * 4, QImage::Format_RGBA8888)
      .convertToFormat(QImage::Format_ARGB32_Premultiplied);
}

}  // namespace

ClipThumbnails::ClipThumbnails(const Session& session, const Playback& playback, QObject* parent)
    : QObject(parent), session_(session), playback_(playback) {
  connect(&session, &Session::rigsChanged, this, &ClipThumbnails::follow);
  connect(&session, &Session::changed, this, &ClipThumbnails::follow);
  connect(&playback, &Playback::shownCharacterChanged, this, &ClipThumbnails::follow);
  connect(&tasks_, &TaskRunner::failed, this, [this](const Error& error) {
    // The requested thumbnails stay empty.
    wishes_.clear();
    working_ = false;
    emit noticed(errorNotice(error));
  });
  follow();
}

void ClipThumbnails::follow() {
  const CharacterPtr shown = session_.character(playback_.shownCharacter());
  if (character_ == shown) return;
  character_ = shown;
  images_.clear();
  wishes_.clear();
  tasks_.cancelAll();
  working_ = false;
  emit changed();
}

QImage ClipThumbnails::thumbnail(const std::string& clip, double seconds, int pixels) {
  if (!character_ || pixels < 1) return {};
  const QString key =
      QStringLiteral("%1|%2|%3").arg(textOf(clip)).arg(qRound64(seconds * 1e5)).arg(pixels);
  const auto found = images_.constFind(key);
  if (found != images_.constEnd()) return *found;
  // Null until it is rendered, so that it is requested once.
  images_.insert(key, QImage());
  wishes_.push_back({clip, seconds, pixels, key});
  if (wishes_.size() > kMostWishes) {
    images_.remove(wishes_.front().key);
    wishes_.pop_front();
  }
  if (!working_) work();
  return {};
}

void ClipThumbnails::work() {
  // The newest requests are for visible thumbnails.
  std::vector<Wish> batch;
  while (!wishes_.empty() && batch.size() < kBatch) {
    batch.push_back(std::move(wishes_.back()));
    wishes_.pop_back();
  }
  working_ = !batch.empty();
  if (batch.empty()) return;
  const auto draw = [batch, character = character_](const JobContext& job) {
    std::vector<QImage> images;
    for (const Wish& wish : batch) {
      if (job.stopRequested()) break;
      images.push_back(imageOf(*character, wish.clip, wish.seconds, wish.pixels));
    }
    return images;
  };
  const auto take = [this, batch, character = character_](const std::vector<QImage>& images) {
    if (character != character_) return;
    if (images_.size() > kMostImages) images_.clear();
    for (std::size_t i = 0; i < images.size(); ++i) images_.insert(batch[i].key, images[i]);
    work();
    emit changed();
  };
  tasks_.run(QStringLiteral("pictures"), tr("Drawing clips"), draw, take);
}

}  // namespace ck::ui

#pragma once

#include <QHash>
#include <QImage>
#include <QObject>
#include <deque>

#include "core/bake/bake_settings.h"
#include "core/scene/character.h"
#include "ui/document/notices.h"
#include "ui/document/task_runner.h"

namespace ck::ui {

class Playback;
class Session;

// Renders thumbnails of clips on the CPU in the background when they are requested, and caches
// them. A clip that moves over the ground stays in its thumbnail.
class ClipThumbnails : public QObject {
  Q_OBJECT

 public:
  ClipThumbnails(const Session& session, const Playback& playback, QObject* parent = nullptr);

  // The thumbnail of a clip of the shown character's file at `seconds` on the file's timeline. A
  // null image if it is not rendered yet; changed() is emitted when it is. `pixels` is width and
  // height.
  QImage thumbnail(const std::string& clip, double seconds, int pixels);

 signals:
  void changed();
  void noticed(const ck::ui::Notice& notice);

 private:
  struct Wish {
    std::string clip;
    double seconds = 0.0;
    int pixels = 0;
    QString key;
  };
  void follow();
  void work();

  const Session& session_;
  const Playback& playback_;
  TaskRunner tasks_{nullptr, TaskRunner::Priority::Background};
  CharacterPtr character_;  // the character of the cached thumbnails
  QHash<QString, QImage> images_;
  std::deque<Wish> wishes_;
  bool working_ = false;
};

}  // namespace ck::ui

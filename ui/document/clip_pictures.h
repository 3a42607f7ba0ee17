#pragma once

#include <QHash>
#include <QImage>
#include <QObject>
#include <deque>

#include "core/bake/bake_settings.h"
#include "core/scene/character.h"
#include "ui/document/task_runner.h"

namespace ck::ui {

class Playback;
class Session;

// Small pictures of clips at moments, drawn on the CPU away from the GUI thread as they are asked
// for, and kept. A clip that walks away stays in its picture.
class ClipPictures : public QObject {
  Q_OBJECT

 public:
  ClipPictures(const Session& session, const Playback& playback, QObject* parent = nullptr);

  // The clip of that name in the shown character's file at `seconds` of the file's timeline; a null
  // image where it is not drawn yet: changed() says when it is. `pixels` is width and height.
  QImage picture(const std::string& clip, double seconds, int pixels);

 signals:
  void changed();

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
  TaskRunner tasks_;
  CharacterPtr character_;  // whose pictures they are
  QHash<QString, QImage> images_;
  std::deque<Wish> wishes_;
  bool working_ = false;
};

}  // namespace ck::ui

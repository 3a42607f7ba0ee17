#pragma once

#include <QObject>

namespace ck::ui {

class Document;
class Session;

// Bakes the first character again whenever its settings change, while it is on and there is an
// atlas. Actors play the old atlas until the new one is there. Of settings that follow each other
// quickly the last ones are baked in any case, and those before as far as there is time.
class LiveBake : public QObject {
  Q_OBJECT

 public:
  // A bake that takes no longer is finished before that of newer settings begins, so that a setting
  // that is dragged shows all the while what it does. A longer one gives way.
  static constexpr double kShortSeconds = 0.25;

  // The session owns it; the document must outlive it.
  LiveBake(Document& document, Session& session);

  bool isOn() const { return on_; }
  void setOn(bool on);

 signals:
  void switched(bool on);

 private:
  void follow();

  Document& document_;
  Session& session_;
  bool on_ = false;
};

}  // namespace ck::ui

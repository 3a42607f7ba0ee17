#pragma once

#include <QObject>

namespace ck::ui {

class Document;
class Session;

// Bakes a character again whenever its settings change, while it is on and the character has an
// atlas. Actors play the old atlas until the new one is there. Of settings that follow each other
// quickly the last ones are baked in any case, and those before as far as there is time.
class LiveBake : public QObject {
  Q_OBJECT

 public:
  // Bakes up to this long run to the end before the next one starts, so the view keeps updating
  // during a drag. Longer bakes are cancelled when a newer one is requested.
  static constexpr double kShortSeconds = 0.25;

  // The session owns it; the document must outlive it.
  LiveBake(const Document& document, Session& session);

  bool isOn() const { return on_; }
  void setOn(bool on);

 signals:
  void switched(bool on);

 private:
  void follow();
  bool isDue(int character) const;

  const Document& document_;
  Session& session_;
  bool on_ = false;
};

}  // namespace ck::ui

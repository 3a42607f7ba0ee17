#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/crowd/mixed_crowd.h"

namespace ck::ui {

class Document;
class Session;

// The clip whose frames the timeline shows.
struct ShownClip {
  QString name;
  int frameCount = 2;
  double durationSeconds = 0.0;  // as played
  LoopMode loop = LoopMode::Loop;
  bool baked = false;
  double startSeconds = 0.0;  // on the file's timeline
  double rate = 1.0;          // seconds of the file per second of playback
};

// The playing crowd: its clock, and which of the project's actors and clips are shown. Not part of
// the project.
class Playback : public QObject {
  Q_OBJECT

 public:
  Playback(Document& document, const Session& session, QObject* parent = nullptr);

  // Null without a rig. Visible actors are numbered as in MixedCrowd; actorOf() maps them to the
  // project.
  const MixedCrowd* crowd() const { return crowd_ ? &*crowd_ : nullptr; }
  int actorOf(std::size_t visible) const;
  std::vector<std::uint32_t> visibleOf(const std::vector<int>& actors) const;

  bool isPlaying() const { return playing_; }
  void setPlaying(bool playing);
  double timeSeconds() const { return timeSeconds_; }
  void seek(double seconds);
  // Makes the clock advance by a fixed step per tick, for reproducible images; 0 restores real
  // time.
  void setFixedStep(double seconds);
  double fixedStep() const { return fixedStepSeconds_; }
  // If false, playback stops at the end of the shown clip.
  void setLooping(bool looping) { looping_ = looping; }

  // The character whose clips and atlas the panels show, numbered as Actor::character. It stays the
  // same if other characters are removed; if it is removed itself, the first is shown.
  int shownCharacter() const;
  void setShownCharacter(int character);
  // Of the shown character, as an index into clipsOf(); nothing without clips.
  std::optional<ShownClip> shownClip() const;
  int shownIndex() const;
  // The position of the clock in that clip: frames from its first, with a fraction; 0 without a
  // clip.
  double shownFrame() const;
  void setShownClip(int clip);
  // Makes all actors with the shown character's rig play this clip, until -1 is set or another rig
  // is shown.
  void setSolo(int clip);
  int solo() const { return solo_; }

  // These actors are preferred if not all can be shown; any order.
  void setPreferred(const std::vector<int>& actors);

  // Starts a fade of the given document's actors to a clip of character `of`. Actors of other rigs
  // fade to their clip of the same title, if any. One undo step.
  void fade(const std::vector<int>& actors, const FadeRequest& request, int of = 0);

  // Shows at most this many actors: always the same ones, spread over the crowd. A new or grown
  // crowd is shown step by step, so that a slow renderer can limit it; a fixed clock shows all at
  // once.
  void setShownLimit(std::size_t limit);
  // Restarts at the first step, because the cost per actor is about to change.
  void restrain();
  std::size_t shownLimit() const { return shownLimit_; }
  std::size_t wantedActors() const { return wantedActors_; }

 signals:
  void timeChanged();
  void crowdChanged();
  void playingChanged(bool playing);
  // shownClipChanged() is emitted as well.
  void shownCharacterChanged();
  void shownClipChanged();
  void soloChanged(int clip);
  // Actors passed these events while the clock advanced, and flash. Not emitted after a seek.
  void eventsFired(const std::vector<ck::FiredEvent>& events);

 private:
  // A visible actor that flashes, and the end time.
  struct Flash {
    std::size_t visible = 0;
    qint64 untilMs = 0;
  };
  void fire(double from, double to);
  void endFlashes();
  void tick();
  void rebuild();
  void keepShown();
  bool followCharacters();
  std::size_t mostAtOnce() const;
  bool isLimited() const { return shownLimit_ < wantedActors_; }

  Document& document_;
  const Session& session_;
  std::optional<MixedCrowd> crowd_;
  std::vector<int> given_;  // project index of each actor in crowd_
  std::size_t wantedActors_ = 0;
  std::size_t shownLimit_ = SIZE_MAX;
  std::vector<int> preferred_;  // ascending
  std::vector<Flash> flashes_;  // the latest last
  QElapsedTimer clock_;         // for the flashes
  QTimer timer_;
  QElapsedTimer sinceTick_;
  double timeSeconds_ = 0.0;
  double fixedStepSeconds_ = 0.0;
  bool playing_ = false;
  bool looping_ = true;
  int shownCharacter_ = 0;
  std::vector<int> shownClips_;  // one per character
  int solo_ = -1;
  int soloCharacter_ = 0;
  // Title and source of every character, to which the numbers above refer.
  std::vector<std::pair<std::string, std::string>> names_;
};

}  // namespace ck::ui

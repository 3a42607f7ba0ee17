#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <optional>
#include <vector>

#include "ui/playback/shown_clips.h"
#include "ui/playback/visible_crowd.h"

namespace ck::ui {

class Document;
class Session;

// Ticks while it plays, about sixty times a second.
class PlayClock : public QObject {
  Q_OBJECT

 public:
  explicit PlayClock(QObject* parent = nullptr);

  bool isPlaying() const { return timer_.isActive(); }
  void setPlaying(bool playing);
  // Every tick takes this long, for pictures that are to come out the same; 0 goes back to real
  // time.
  void setFixedStep(double seconds) { fixedStepSeconds_ = seconds; }
  double fixedStep() const { return fixedStepSeconds_; }

 signals:
  void playingChanged(bool playing);
  // `realSeconds` have passed since the tick before.
  void ticked(double realSeconds);

 private:
  QTimer timer_;
  QElapsedTimer sinceTick_;
  double fixedStepSeconds_ = 0.0;
};

// The clip whose frames the time line shows.
struct ShownClip {
  QString name;
  int frameCount = 2;            // in time: a step frame, which is stored twice, counts once
  double durationSeconds = 0.0;  // as it plays
  LoopMode loop = LoopMode::Loop;
  bool baked = false;
  double startSeconds = 0.0;  // on the file's timeline
  double rate = 1.0;          // seconds of the file in a second of playing
  bool steps = false;         // whether any of its frames is a step frame
};

// The crowd as it plays: its clock, and which of the project's actors and clips are shown. Not part
// of the project.
class Playback : public QObject {
  Q_OBJECT

 public:
  Playback(Document& document, const Session& session, QObject* parent = nullptr);

  // Null without a rig. Visible actors are numbered as in MixedCrowd; actorOf() leads back.
  const MixedCrowd* crowd() const { return crowd_.crowd(); }
  bool isFading() const { return crowd() && crowd()->fadingActors() > 0; }
  int actorOf(std::size_t visible) const { return crowd_.actorOf(visible); }
  std::vector<std::uint32_t> visibleOf(const std::vector<int>& actors) const {
    return crowd_.visibleOf(actors);
  }

  // Without a rig time stands still, also while it plays.
  bool isPlaying() const { return clock_.isPlaying(); }
  void setPlaying(bool playing) { clock_.setPlaying(playing); }
  double timeSeconds() const { return timeSeconds_; }
  void seek(double seconds);
  // A clock that moves on by this much a tick, for pictures that are to come out the same; 0 goes
  // back to real time.
  void setFixedStep(double seconds);
  double fixedStep() const { return clock_.fixedStep(); }
  // Once switched off, playing stops where the shown clip ends.
  void setLooping(bool looping) { looping_ = looping; }

  // The character whose clips and atlas the panels show, numbered as Actor::character is. It stays
  // the same one where others leave; once it is gone itself, the first is shown.
  int shownCharacter() const;
  void setShownCharacter(int character);
  // The clip of the shown character, into clipsOf(); nothing without clips.
  std::optional<ShownClip> shownClip() const;
  int shownIndex() const;
  // Where the followed actor is in that clip, else the clock: frames from its first, fractional; 0
  // without a clip.
  double shownFrame() const;
  // Moves the clock to where the followed actor, else the clip by itself, is at this position, in
  // [0, 1], of the shown clip, in the cycle of now where that is possible.
  void seekShown(double unit);
  // The actor of the project whose frames shownFrame() tells, -1 for none. It is told only while it
  // shows that clip.
  void setFollowed(int actor);
  int followedActor() const;
  void setShownClip(int clip);
  // Every actor with the shown character's rig plays this clip of it until it is -1 again, or a
  // character of another rig is shown.
  void setSolo(int clip);
  int solo() const { return clips_.solo().clip; }

  // These actors are shown before others where not all can be; any order.
  void setPreferred(const std::vector<int>& actors);

  // The document's actors of these numbers pass to a clip of the character `of` from now on, those
  // of other rigs to the one called like it, if they have one: one undo step.
  void fade(const std::vector<int>& actors, const FadeRequest& request, int of);

  // The document's actors of these numbers are told to do this from now on, as commandedFrom()
  // says: one undo step.
  void command(const std::vector<int>& actors, PlayAction action);

  // At most this many actors are shown: always the same ones, spread over the crowd. A crowd that
  // is new or has grown comes step by step whatever the limit, so that a slow renderer can say
  // stop; a fixed clock shows all of it at once.
  void setVisibleLimit(std::size_t limit);
  // Whether far actors are drawn with less detail, so that all can be shown at once.
  void setDetailed(bool detailed);
  bool isDetailed() const { return detailed_; }
  // Back to the first step: what an actor costs is about to change.
  void restrain();
  std::size_t visibleLimit() const { return crowd_.limit(); }
  std::size_t wantedActors() const { return crowd_.wanted(); }

 signals:
  void timeChanged();
  void crowdChanged();
  void playingChanged(bool playing);
  // shownClipChanged() follows.
  void shownCharacterChanged();
  void shownClipChanged();
  void soloChanged(int clip);
  // Actors have passed events while the clock went on; they flash. Not while it is put elsewhere.
  void eventsFired(const std::vector<ck::FiredEvent>& events);

 private:
  void tick(double realSeconds);
  std::optional<std::size_t> followed() const;  // the visible actor
  std::optional<double> secondsToEnd() const;   // of the shown clip, on the clock
  void rebuild();
  void followRigs();
  void keepShown();

  Document& document_;
  const Session& session_;
  PlayClock clock_;
  VisibleCrowd crowd_;
  ShownClips clips_;
  std::vector<CharacterPtr> rigs_;  // of the session
  CharacterPtr soloRig_;            // of the clip that plays alone
  double timeSeconds_ = 0.0;
  bool looping_ = true;
  int followed_ = -1;
  bool detailed_ = false;
};

}  // namespace ck::ui

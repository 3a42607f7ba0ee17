#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/anim/joint_mask.h"
#include "core/crowd/actor.h"
#include "core/crowd/actor_phases.h"
#include "core/crowd/actor_records.h"
#include "core/crowd/actor_times.h"
#include "core/crowd/clip_events.h"
#include "core/crowd/crowd_clip.h"
#include "core/crowd/crowd_fades.h"
#include "core/crowd/steady_record.h"
#include "core/crowd/travels.h"
#include "core/crowd/way_walkers.h"

namespace ck {

// Identifies a crowd and its time. Equal stamps mean that nothing has changed.
struct CrowdStamp {
  std::uint64_t origin = 0;  // unique in the program; changes when the crowd is made or seeked
  std::uint64_t moment = 0;  // increases when the crowd advances
  bool operator==(const CrowdStamp&) const = default;
};

// An actor's own weight of a morph.
struct CrowdMorph {
  int name = 0;  // into Crowd::morphNames()
  float weight = 0.0f;
};

// A playing crowd: actors as arrays with one clock. Move-only, so that no two crowds have one
// stamp.
class Crowd {
 public:
  // `clips` is indexed by Actor::clip, `masks` by Actor::mask. Actors that are off are left out.
  Crowd(std::span<const Actor> actors, std::span<const CrowdClip> clips,
        std::span<const JointMask> masks = {});
  Crowd(Crowd&&) = default;
  Crowd& operator=(Crowd&&) = default;

  std::size_t size() const { return sources_.size(); }  // visible actors

  // Advances every actor by `seconds` (any sign). The pose of an actor depends on timeSeconds()
  // alone, so nothing drifts, and ticks of any length cost the same (docs/techniques.md 1.2).
  void advance(double seconds);

  // Sets every actor to `seconds` after the start, as the timeline and `kiln render --time` do.
  // advance() continues from there.
  void seek(double seconds);

  double timeSeconds() const { return times_.seconds(); }

  // Tells a visible actor to do something from the present time on. Commands that it has for later
  // are dropped. Seeking and advancing agree on what an actor with commands shows (OwnTime).
  void command(std::size_t visible, PlayAction action);
  // The commands of an actor: those of Actor::commands and those that it got since.
  std::span<const PlayCommand> commandsOf(std::size_t visible) const;
  // An actor's own time, in seconds, and its pace: 1, 0 while paused, -1 while it plays backwards.
  double ownSecondsOf(std::size_t visible) const { return times_.of(visible); }
  double paceOf(std::size_t visible) const;

  // Renderers compare stamps to see whether anything has changed. An equal origin means that the
  // actors moved continuously, so motion vectors are valid. It changes where an actor restarts.
  CrowdStamp stamp() const;

  // Changes the tint of a visible actor, 0xRRGGBB, e.g. for a flash.
  void setTint(std::size_t visible, std::uint32_t tint);

  // Replaces a visible actor, as an edit does, by one that is on. The crowd is then the one that
  // would be made of all actors and seeked to this time, at a cost that hardly depends on their
  // number. Names of morphs that no actor has any more stay in morphNames().
  void update(std::size_t visible, const Actor& actor);

  // The events that actors pass from time `from`, included, to `to`, excluded (see TimeStep),
  // ordered by time in the direction of the step. During a fade the events of both clips are
  // included. An actor that plays backwards passes them in that direction. Costs nothing if no clip
  // has events.
  std::vector<FiredEvent> eventsBetween(double from, double to) const;

  // The position of a visible actor in its clip, in [0, 1], and the clip. After a fade this is the
  // fade's target.
  double unitOf(std::size_t visible) const;
  int clipOf(std::size_t visible) const;
  LoopMode loopOf(std::size_t visible) const;  // of its clip
  double rateOf(std::size_t visible) const {
    return phases_.playOf(visible).rate;
  }  // as Actor::rate
  // Index into the given actors.
  std::size_t sourceIndexOf(std::size_t visible) const { return sources_[visible]; }

  // The second clip of a visible actor. Nothing if it has none, if the clip does not exist, or if
  // its weight is 0.
  std::optional<CrowdFade> fadeOf(std::size_t visible) const { return fades_.at(visible, times_); }
  // The number of actors with a second clip now.
  std::size_t fadingActors() const { return fades_.count(times_); }

  // The mask of its second clip, an index into masks(); -1: all joints.
  int maskOf(std::size_t visible) const { return maskOf_[visible]; }
  std::span<const JointMask> masks() const { return masks_; }

  // The morphs for which any actor has an own weight, and a visible actor's own weights.
  std::span<const std::string> morphNames() const { return morphNames_; }
  std::span<const CrowdMorph> morphsOf(std::size_t visible) const;

  // The given clips, indexed by clipOf(), followed by an unnamed one, which actors play whose clip
  // does not exist.
  std::span<const CrowdClip> clips() const { return clips_; }

  // One record per visible actor at the current time. The view refers to memory of the crowd and is
  // valid until the crowd advances. Only changed parts are computed. Must not be called from two
  // threads at once.
  ActorRecords instances() const;

  // The part of a record that renderers need once; numbers that are not steady are those of now.
  SteadyRecord steadyOf(std::size_t visible) const;
  // Another number, unique in the program, whenever a steady part of an actor's record is another.
  std::uint64_t steadyStamp() const { return steadyStamp_; }
  // The actors whose steady parts have changed since steadyStamp() was `stamp`, in any order; some
  // may occur twice. Nothing if that is another crowd's stamp or if too much has changed since.
  std::optional<std::vector<std::uint32_t>> changedSince(std::uint64_t stamp) const;
  // Metres a second that no actor exceeds; nothing where actors may walk in any way, by commands,
  // fades, ways or clips that do not loop. Holds for as long as steadyStamp().
  std::optional<double> fastestWalk() const;

 private:
  // An actor whose distance follows its position in a clip that does not loop.
  struct Walker {
    std::size_t actor = 0;
    double metersPerCycle = 0.0;
  };
  // A change of steady parts.
  struct Change {
    std::uint64_t stamp = 0;  // steadyStamp() since then
    std::uint32_t actor = 0;
  };

  std::span<const CrowdClip> knownClips() const {
    return std::span(clips_).first(clips_.size() - 1);
  }
  ClipPlay playOf(const Actor& actor) const;
  void put(std::size_t visible, const Actor& actor);
  void setMorphs(std::size_t visible, const Actor& actor);
  std::vector<CrowdMorph> numbered(const std::vector<MorphWeight>& morphs);
  void addTravel(const Actor& actor, std::size_t visible);
  void setCommands(std::size_t visible, SharedList<PlayCommand> commands, float strides);
  void noteChange(std::size_t visible);
  void bringRecordsUpToDate() const;

  std::vector<CrowdClip> clips_;
  std::vector<JointMask> masks_;
  ActorTimes times_;
  ActorPhases phases_;  // of the first clips
  CrowdFades fades_;
  std::vector<Walker> walkers_;
  WayWalkers wayWalkers_;
  std::uint64_t steadyStamp_ = newStamp();
  std::uint64_t changesSince_ = steadyStamp_;  // the stamp before the first of changes_
  std::vector<Change> changes_;
  // One entry per visible actor.
  std::vector<std::size_t> sources_;
  std::vector<int> maskOf_;
  // Empty as long as no actor has any; actors that share their list share their entry.
  std::vector<SharedList<CrowdMorph>> morphs_;
  SharedList<MorphWeight> lastMorphs_;  // that lastOwn_ was made from
  SharedList<CrowdMorph> lastOwn_;
  std::vector<std::string> morphNames_;

  // As of the last request.
  mutable OwnedActorRecords records_;
  mutable Travels travels_;
  mutable bool stale_ = true;              // whether the time has changed since
  mutable CrowdStamp stamp_;               // of the records
  mutable std::uint64_t placesStamp_ = 0;  // of the places in the records
};

}  // namespace ck

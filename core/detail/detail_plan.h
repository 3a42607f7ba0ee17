#pragma once

#include <array>
#include <cstdint>
#include <glm/glm.hpp>
#include <optional>
#include <span>
#include <vector>

#include "core/crowd/actor_choice.h"
#include "core/crowd/actor_records.h"
#include "core/detail/dissolves.h"
#include "core/detail/seen_actors.h"

namespace ck {

// The extent of an actor's poses in model space, metres: heights, and the distance from the
// vertical axis.
struct ActorReach {
  double low = 0.0;
  double high = 0.0;
  double side = 0.0;

  bool operator==(const ActorReach&) const = default;
};

// The ways to draw the actors of one character, from the finest to the coarsest: its meshes, then
// a picture, then a point. Errors are in metres for an actor of scale 1.
struct DetailWays {
  std::vector<double> meshErrors = {0.0};  // ascending; the first is the character itself
  struct Picture {
    double errorMeters = 0.0;
    double mostPixels = 0.0;  // how high the actor may be on the screen
  };
  std::optional<Picture> picture;
  std::optional<double> pointPixels;  // how high an actor may be that a point stands for

  std::size_t picturesAt() const { return meshErrors.size(); }
  std::size_t pointsAt() const { return meshErrors.size() + 1; }
  std::size_t size() const { return meshErrors.size() + 2; }
};

// How actors are seen.
struct DetailView {
  glm::dmat4 viewProjection{1.0};
  glm::dvec3 eye{0.0};
  // Pixels of a metre at a distance of one metre; where lines of sight are parallel, everywhere.
  double pixelsAtMeter = 1.0;
  bool isParallel = false;
  // Actors this far outside of the view are drawn, too, because their shadows are in it.
  double marginMeters = 0.0;
};

struct DetailTask {
  ActorRecords records;
  ActorReach reach;
  DetailView view;
  // How far anything may be from where it would be at full detail, in pixels; > 0.
  double allowedPixels = 1.0;
  // Actors of these indices are drawn by the finest mesh wherever they are in view; any order.
  std::span<const std::uint32_t> whole = {};
  // So are all that are nearer to the eye than this.
  double wholeMeters = 0.0;
  // Whether actors at a limit stay as they were drawn. Without it a plan follows from the task
  // alone.
  bool remembers = true;
  // A steady clock, by which an actor dissolves from one way to the next. Without it, or where it
  // is not a number, actors switch at once.
  std::optional<double> seconds = std::nullopt;
  // How many actors may dissolve at once.
  std::size_t mostDissolving = Dissolves::kMost;
};

// Sorts the actors of one character by the way in which they are drawn, and leaves out those that
// are not in view. An actor gets the coarsest way whose error is allowed at its distance. It passes
// to a coarser way only where that is allowed by a margin, so that actors at a limit do not change
// back and forth. With a clock, an actor in view that passes to another way dissolves: for
// Dissolves::kSeconds it is drawn in both ways in part. Actors that come into view do not dissolve.
// Groups of neighbours are held against the view before single actors.
class DetailPlan {
 public:
  // A coarser way begins at this share of what is allowed.
  static constexpr double kReturn = 0.85;

  // Returns whether any list is another than before.
  bool update(const DetailTask& task, const DetailWays& ways);
  // The actors that are drawn whole in a way, as indices into the records: for meshes ascending,
  // for pictures from near to far, for points from far to near. Valid until the next update.
  std::span<const std::uint32_t> actors(std::size_t way) const {
    return way < ways() ? std::span<const std::uint32_t>(whole_.kept[way].actors)
                        : std::span<const std::uint32_t>();
  }
  // The same; its stamp changes whenever the list does.
  ActorChoice choice(std::size_t way) const { return whole_.kept[way].choice(); }
  // The actors that dissolve into a way or out of it, ascending, with their shares. Every one of
  // them is in two of these lists.
  ActorChoice passing(std::size_t way) const { return passing_.kept[way].choice(); }
  std::size_t ways() const { return whole_.kept.size(); }
  // How many actors have a way, whole or coming in. Every actor in view has one way.
  std::size_t count(std::size_t way) const;
  std::size_t inView() const;
  // How many actors would be drawn in each way if far ones were off by up to `allowedPixels`, among
  // those that the last update() found in view. Sizes are known to a 32nd of themselves, and actors
  // at a limit count as the finer way, so that an estimate of triangles is never too low.
  std::vector<std::size_t> countsAt(const DetailWays& ways, double allowedPixels) const;
  std::size_t dissolving() const { return dissolves_.size(); }

 private:
  // Neighbours: `count` entries of order_ from `first`, within a sphere.
  struct Group {
    std::size_t first = 0;
    std::size_t count = 0;
    glm::dvec3 center{0.0};
    double radius = 0.0;
  };
  // The actors of a way.
  struct List {
    std::vector<std::uint32_t> actors;
    std::vector<ActorShare> shares;  // empty: all are whole
    std::uint64_t stamp = 0;         // 0: never kept

    void add(std::uint32_t actor, ActorShare share) {
      actors.push_back(actor);
      shares.push_back(share);
    }
    ActorChoice choice() const { return {actors, stamp, shares}; }
  };
  // The lists of all levels, and those in which the next ones are made.
  struct Lists {
    std::vector<List> kept;
    std::vector<List> fresh;

    void begin(std::size_t ways);
    bool keep();  // returns whether any is another than before
  };
  // An actor that is a picture or a point.
  struct Far {
    std::uint32_t actor = 0;
    float distance = 0.0f;  // metres from the eye
  };
  void sortIntoGroups(const ActorRecords& records);
  double boundGroups(const DetailTask& task);
  void refreshGroups(const DetailTask& task);
  void findGroup(const Group& group, bool isInside, const DetailTask& task,
                 const SeenActors::Look& look, std::span<const char> whole,
                 std::vector<Dissolves::Change>& changes);
  void passOn();

  std::vector<std::uint32_t> order_;  // actors, neighbours beside each other
  std::vector<Group> groups_;
  SeenActors spheres_;             // in the order of order_
  double sortedRadius_ = 0.0;      // sum of the groups' radii when they were sorted
  std::uint64_t placesStamp_ = 0;  // that the groups were bounded for
  ActorReach boundedReach_;        // likewise
  double height_ = 0.0;            // metres, of an actor of scale 1
  std::vector<double> limits_;     // per way: most pixels that a metre of the actor may take
  // How many actors in view have a size, those apart that are whole in any case.
  std::vector<std::size_t> sizes_;
  std::size_t wholes_ = 0;
  std::vector<std::uint8_t> ways_;  // per actor, as it was drawn last; kUnseen before
  Dissolves dissolves_;
  Lists whole_;
  Lists passing_;
  // Storage that is kept from plan to plan.
  std::array<std::vector<Far>, 2> far_;  // pictures and points
  std::vector<Far> scratch_;
};

}  // namespace ck

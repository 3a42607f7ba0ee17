#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/import/clip_fit.h"
#include "core/scene/clip.h"
#include "core/scene/rig.h"

namespace ck {

// Rest poses that are turned further apart than this are not the same.
inline constexpr double kTurnedDegrees = 5.0;

// How the joints of a clip file move those of a rig. Both rest poses are compared in model space.
//
// Keys with the same bone axes as the rig's are used as they are (RestFit::KeepRotations), in the
// rig's units and, at joints without a matched ancestor, in its axes. Otherwise the motion is
// carried over in model space (RestFit::ApplyOffset): a joint turns away from its rest as the
// file's joint does. Limbs that rest in another direction, e.g. arms that are held out in one file
// and hang in the other, get the file's direction. The bones keep their lengths; the way of the
// top joint is scaled by the ratio of the legs, and the figure is moved up or down so that its
// lowest joint touches the ground when that of the file does.
class ClipFitting {
 public:
  // Both rigs are as they rest at bind (bind_rest.h) and outlive this. `matches`: for every joint
  // of `from` the joint of `rig`, or -1.
  ClipFitting(const Rig& rig, const Rig& from, const std::vector<int>& matches,
              const ClipFit& choice);

  // The keys of a clip of the file for the joints of the rig, sorted by joint. The rest of the clip
  // is as in the file, but for its ground speed. Where joints move that lie between two matched
  // ones and are not in the rig themselves, keys are sampled.
  Clip fit(const Clip& clip);

  // Whether the motion of a joint of the file reaches the rig: by itself, or by a joint below it.
  std::vector<char> usedJoints() const;
  bool appliesOffset() const { return offset_; }
  // The factor for the way of the top joint, where the offset is applied.
  double ways() const { return ways_; }
  // One per joint of the file: how far it rests turned against the rig's joint in model space.
  const std::vector<double>& restDegrees() const { return restDegrees_; }

  // The changes that were made, for notes.
  double unitRatio = 1.0;         // of the files' units
  bool otherProportions = false;  // more than half of the bones differ in length by over 5 %
  double proportions = 1.0;       // factor for what moves, where the proportions are others
  bool turned = false;            // top joints were rotated or moved
  bool oneSkeleton = false;       // the bones lie alike in the joints' axes, with the same lengths
  int restsTurned = 0;            // joints below the top ones that rest turned by over 5 degrees
  std::set<int> sampled;          // joints of the rig whose keys were sampled
  std::set<int> torn;             // joints of the rig whose bones change length, not so in the file
  double tornShare = 0.0;         // the largest such change, as a share of the bone
  bool scalesDropped = false;     // uneven scales that do not fit the rig's axes

 private:
  struct Link {
    int joint = -1;            // of the rig; -1: not matched
    int above = -1;            // the file's joint that is matched to the nearest matched ancestor
    std::vector<int> between;  // the file's joints between that one and this one
    bool isCrossed = false;    // the file's joint is not below `above`
    // KeepRotations
    double length = 1.0;     // factor for translations
    bool moved = false;      // whether `change` is applied
    glm::dmat4 change{1.0};  // for top joints: from the file's frame to the rig's
    // ApplyOffset: the rig's local rotation is toRig * (that between) * (that of the file) * toRest
    glm::dquat toRig{1.0, 0.0, 0.0, 0.0};
    glm::dquat toRest{1.0, 0.0, 0.0, 0.0};
    double stretch = 1.0;  // factor for ways in the joint's frame
  };

  void link(std::size_t joint);
  void linkKept(Link& link, std::size_t joint);
  void measureProportions();
  void measureRests();
  glm::dquat commonTurn() const;
  bool restsInOtherAxes();
  double legRatio() const;
  void alignLimbs();
  std::vector<char> unmatchedMotion(const Clip& clip) const;
  std::vector<double> momentsOf(const Clip& clip, const Link& link, std::size_t joint) const;
  JointTracks keptTracks(const Link& link, const JointTracks& tracks) const;
  JointTracks offsetTracks(const Link& link, std::size_t joint, const JointTracks& tracks,
                           double startSeconds);
  JointTracks sampledTracks(const Link& link, std::size_t joint, const Clip& clip);
  void fitScale(const Link& link, std::size_t joint, JointTracks& tracks);
  void findTorn(const Clip& source, const Clip& fitted);
  void setOnGround(const Clip& source, Clip& fitted) const;

  const Rig& rig_;
  const Rig& from_;
  const std::vector<int>& matches_;
  bool offset_ = false;
  double ways_ = 1.0;  // ApplyOffset: factor for the way of the top joint
  std::vector<glm::dmat4> rigRest_;
  std::vector<glm::dmat4> fromRest_;
  std::vector<glm::dquat> rigTurns_;  // global rotations at rest
  std::vector<glm::dquat> fromTurns_;
  std::vector<int> fileJoint_;  // per joint of the rig, or -1
  std::vector<glm::dquat>
      aligned_;              // per joint of the rig: turns its rest into the file's direction
  std::vector<Link> links_;  // one per joint of `from`
  std::vector<double> restDegrees_;
};

}  // namespace ck

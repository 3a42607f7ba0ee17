#pragma once

#include <deque>
#include <glm/glm.hpp>
#include <optional>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/crowd/crowd.h"

namespace ck::render {

// World matrix of an actor's record: translation * rotation * scale.
glm::dmat4 actorMatrix(const gpu::CkActor& record);

// The poses of a crowd's actors on the CPU, in double, from the atlas or from the source. The
// arguments must outlive it; `atlas` may be null where only the source is asked for.
class ActorPoses {
 public:
  // How poses are read.
  struct Look {
    bool interpolate = true;
    bool fades = true;  // whether second clips are to be seen
    // How the atlas is read, between frames and between two clips.
    Reading reading = Reading::Direct;
  };
  ActorPoses(const Character& character, const Atlas* atlas, const Crowd& crowd, Look look);

  // Skin matrices as the atlas gives them. Actors whose clip is not baked stand in frame 0 of the
  // atlas. Where an actor fades, Reading::Direct mixes the matrices of both clips, which mixes the
  // places of vertices in the world; Reading::Palette mixes the joints' poses, each relative to its
  // parent.
  std::vector<glm::dmat4> baked(std::size_t actor) const;

  // Skin matrices of the file's clip of that name, in the shape that was baked, at the same moment;
  // at rest where there is no such clip. Past the last key, where the bake has closed a loop
  // (Seam::Exclusive), the joints move on to the first key pose. Fades as above.
  std::vector<glm::dmat4> source(std::size_t actor) const;

  // Weights of a mesh's morph targets at that moment of the source.
  std::vector<float> sourceMorphWeights(std::size_t actor, int mesh) const;

 private:
  struct Moment {
    const Clip* clip = nullptr;  // null where the source has none of that name
    double seconds = 0.0;        // on the file's timeline
    double closing = 0.0;        // how far from the last key pose back to the first, in [0, 1]
  };
  Moment momentOf(int clip, double unit) const;
  std::vector<JointPose> bakedAt(int clip, double unit) const;
  std::vector<glm::dmat4> sourceAt(int clip, double unit) const;
  std::optional<CrowdFade> fadeOf(std::size_t actor) const;

  const Character& character_;
  const Atlas* atlas_;
  const Crowd& crowd_;
  Look look_;
  std::deque<Clip> shapedClips_;          // those that were baked in a shape of their own
  std::vector<const Clip*> sourceClips_;  // one per clip of the crowd
};

}  // namespace ck::render

#pragma once

#include <glm/glm.hpp>
#include <optional>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/crowd/crowd.h"
#include "core/crowd/shown_morphs.h"
#include "core/crowd/source_clips.h"

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
    bool masks = false;  // whether masks hold second clips of the source back: method live
  };
  ActorPoses(const Character& character, const Atlas* atlas, const Crowd& crowd, Look look);

  // Skin matrices as the atlas gives them. Actors whose clip is not baked stand in frame 0 of the
  // atlas. Where an actor fades, Reading::Direct mixes the matrices of both clips, which mixes the
  // places of vertices in the world; Reading::Palette mixes the joints' poses, each relative to its
  // parent.
  std::vector<glm::dmat4> baked(std::size_t actor) const;

  // Skin matrices of the file's clip of that name, in the shape that was baked, at the same moment;
  // at rest where there is no such clip. Fades as above, so that what is left between the two is
  // the atlas's own error.
  std::vector<glm::dmat4> source(std::size_t actor) const;

  // Weights of a mesh's morph targets at that moment of the source, those that the actor has of its
  // own in place of them.
  std::vector<float> sourceMorphWeights(std::size_t actor, int mesh) const;

 private:
  std::vector<JointPose> bakedAt(int clip, double unit) const;
  std::optional<CrowdFade> fadeOf(std::size_t actor) const;
  std::vector<float> maskOf(std::size_t actor) const;

  const Character& character_;
  const Atlas* atlas_;
  const Crowd& crowd_;
  Look look_;
  SourceClips sources_;
  MorphSet morphs_;
};

}  // namespace ck::render

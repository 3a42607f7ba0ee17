#pragma once

#include <glm/glm.hpp>
#include <optional>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/crowd/crowd.h"
#include "core/crowd/source_clips.h"
#include "core/morph/morph_set.h"

namespace ck::render {

// The world matrix of an actor's record: translation * rotation * scale.
glm::dmat4 actorMatrix(const gpu::CkActor& record);

// Computes the poses of a crowd's actors on the CPU in double, from the atlas or from the source.
// The arguments must outlive it. `atlas` may be null if only the source is used.
class ActorPoses {
 public:
  // How poses are computed.
  struct Look {
    bool interpolate = true;
    bool fades = true;  // whether second clips are applied
    // How the atlas is read between frames and between two clips.
    Reading reading = Reading::Direct;
    // Whether skin matrices are mixed between frames, as the method pool does, and not poses.
    bool mixes = false;
    // Whether a texture unit interpolates, whose fractions between frames have 8 bits.
    bool filters = false;
    bool masks = false;  // apply masks to second clips of the source, as the method live does
    bool operator==(const Look&) const = default;
  };
  ActorPoses(const Character& character, const Atlas* atlas, const Crowd& crowd, Look look);

  // Skin matrices from the atlas. An actor whose clip is not baked shows frame 0 of the atlas.
  // During a fade, Reading::Direct blends the skin matrices of both clips, which blends vertex
  // positions in the world. Reading::Palette blends joint poses, each relative to its parent.
  std::vector<glm::dmat4> baked(std::size_t actor) const;

  // Skin matrices of the file's clip with the clip edit of the bake, at the same time; the rest
  // pose if there is no such clip. Fades are blended as in baked(), so that the difference to
  // baked() is the atlas's own error.
  std::vector<glm::dmat4> source(std::size_t actor) const;

  // Weights of a mesh's morph targets in the source at that time. The actor's own weights replace
  // them.
  std::vector<float> sourceMorphWeights(std::size_t actor, int mesh) const;

 private:
  double filtered(int atlasClip, double unit) const;
  std::vector<JointPose> bakedAt(int clip, double unit) const;
  std::vector<glm::dmat4> bakedMatricesAt(int clip, double unit) const;
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

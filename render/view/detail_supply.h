#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "render/far/impostor_set.h"
#include "render/frame/frame_stats.h"
#include "render/view/character_renderer.h"

namespace ck::render {

// The shapes that draw the far actors of one character: simpler meshes, which a thread makes in the
// background, and pictures, which are made beside frames; both within a budget of memory.
class DetailSupply {
 public:
  // A simpler mesh.
  struct Level {
    std::size_t number = 0;  // in DetailLevels::levels
    std::unique_ptr<CharacterRenderer> mesh;
    int influences = 4;
    int collapsedJoints = 0;
    double errorMeters = 0.0;
  };

  // The simpler meshes that `other` has made or is making need not be made again; for the same
  // character, e.g. with another atlas.
  void shareMeshesOf(const DetailSupply& other) { job_ = other.job_; }

  // Goes on making, for about this time; begins at the first call. `mostBytes` is the budget, 0 for
  // none; with another one than before all is made anew. A shape that cannot be made is logged and
  // left out. `shaders` and `facts` must outlive the supply. Needs the renderer's context.
  void goOn(const CharacterRenderer& whole, std::size_t mostBytes, ShaderLibrary& shaders,
            const ContextFacts& facts, double milliseconds);
  // Waits until all is made that the last goOn() began with.
  void complete(const CharacterRenderer& whole, ShaderLibrary& shaders, const ContextFacts& facts);
  // Drops what was made, and keeps the meshes that the thread has made.
  void drop() { made_ = {}; }

  bool hasBegun() const { return job_ != nullptr; }
  // Whether simpler ways to draw are still to come.
  bool isPending() const {
    return !made_.levelsTaken || (made_.pictures && !made_.pictures->isReady());
  }
  const std::vector<Level>& levels() const { return made_.levels; }
  // Null if the driver has no memory for them, the budget refuses them, or they are not planned
  // yet.
  const ImpostorSet* pictures() const { return made_.pictures.get(); }
  // Whether they can be drawn. Some may still be pending.
  bool hasPictures() const { return made_.pictures && made_.pictures->isShowable(); }
  // The requests that the budget of memory has refused.
  const std::vector<DetailStats::Refusal>& refused() const { return made_.refused; }

 private:
  class Job;
  struct Made {
    bool levelsTaken = false;
    std::vector<Level> levels;
    std::size_t levelBytes = 0;
    bool picturesTried = false;
    std::unique_ptr<ImpostorSet> pictures;
    std::vector<DetailStats::Refusal> refused;
  };
  void takeLevels(const CharacterRenderer& whole);
  void startPictures(const CharacterRenderer& whole, ShaderLibrary& shaders,
                     const ContextFacts& facts);

  std::shared_ptr<Job> job_;
  std::size_t mostBytes_ = 0;
  Made made_;
};

}  // namespace ck::render

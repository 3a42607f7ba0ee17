#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "core/crowd/actor_records.h"

namespace ck {

// The bounding spheres of many actors beside each other, so that eight at a time are held against a
// view. Numbers are floats: spheres are made larger by what these round off.
class SeenActors {
 public:
  // How actors are held against a view. Metres and pixels as in DetailTask.
  struct Look {
    std::array<glm::vec4, 6> planes = {};  // pointing inwards, of unit length
    glm::vec3 eye{0.0f};
    float pixelsAtMeter = 1.0f;
    bool isParallel = false;
    float marginMeters = 0.0f;
    float wholeMeters = 0.0f;
    // Per level, finest first: the most pixels per metre at which it may be used. `limits` is for
    // actors drawn at this level or a coarser one before, `stricterLimits` for the others.
    std::span<const float> limits = {};
    std::span<const float> stricterLimits = {};
  };
  // The results for kAtOnce actors.
  static constexpr std::size_t kAtOnce = 64;
  static constexpr std::uint8_t kUnseen = 255;
  using Ways = std::array<std::int32_t, kAtOnce>;
  struct Found {
    Ways ways;                               // kUnseen: not in view
    std::array<float, kAtOnce> pixels;       // of a metre of the actor
    std::array<float, kAtOnce> distances;    // of its middle from the eye, metres
    std::array<std::int32_t, kAtOnce> near;  // not 0: nearer than `wholeMeters`
  };

  // Takes over the actors in this order. `height` is that of the sphere's centre above the actor's
  // origin, `radius` the sphere's, both for an actor of scale 1, in metres.
  void set(std::span<const gpu::CkPlace> places, std::span<const std::uint32_t> order,
           double height, double radius);
  std::size_t size() const { return count_; }

  // A box about the middles of these actors, and the largest of their radii.
  struct Reach {
    glm::vec3 low{0.0f};
    glm::vec3 high{0.0f};
    float radius = 0.0f;
  };
  Reach reachOf(std::size_t first, std::size_t count) const;

  // Finds the ways of `count` <= kAtOnce actors from `first`, a multiple of kAtOnce. `before` has
  // their ways so far, kUnseen for those that had none. `isInside`: all of them are in view.
  void find(std::size_t first, std::size_t count, bool isInside, const Look& look,
            const Ways& before, Found& found) const;

 private:
  std::size_t count_ = 0;
  // Their length is size() rounded up to full vectors.
  std::vector<float> x_;
  std::vector<float> y_;
  std::vector<float> z_;
  std::vector<float> scale_;
  float radius_ = 0.0f;  // of an actor of scale 1
};

}  // namespace ck

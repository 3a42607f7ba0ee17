#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "render/gl/buffer.h"
#include "render/gl/handle.h"
#include "render/gl/shader_library.h"
#include "render/scene/scene_look.h"
#include "render/skinning/actor_poses.h"
#include "render/view/playing.h"
#include "render/view/render_settings.h"

namespace ck::render {

// The colours of the lines, linear as they are written to the image.
inline constexpr glm::vec3 kBoneColor{1.0f, 0.82f, 0.30f};
inline constexpr glm::vec3 kBoundsColor{0.45f, 0.85f, 1.0f};
inline constexpr glm::vec3 kAxisColors[3] = {
    {1.0f, 0.36f, 0.34f}, {0.50f, 0.90f, 0.34f}, {0.36f, 0.62f, 1.0f}};

// Draws skeletons, joint axes and boxes over the actors, from the poses that are drawn: of the
// atlas as the method reads it, or of the source. Poses are computed on the CPU, so only the
// nearest actors have lines (kMost).
//
// A skeleton connects each skin joint with its nearest ancestor that is one. Axes are those of the
// joints' own spaces. A box holds the posed vertices in the actor's own space, without morphs.
// A line is faint where something is in front of it: for skeletons and axes other things than the
// own body, for boxes everything.
class ActorLines {
 public:
  static constexpr std::size_t kMost = 64;

  // `shaders` must outlive it.
  explicit ActorLines(ShaderLibrary& shaders) : shaders_(shaders) {}

  // Whether the settings ask for any of these lines.
  static bool wanted(const RenderSettings& settings) {
    return settings.view.lines.skeleton || settings.view.lines.jointAxes ||
           settings.view.lines.bounds;
  }

  // Computes the lines of the `selected` visible actors, or of all without a selection; of the
  // kMost nearest to `eye` if there are more. `playing` are the characters as of the last tick, and
  // the crowd must be at its time. `halved`: the halves show different poses. Fails with
  // LimitExceeded.
  Result<void> update(const CrowdView& crowd, std::span<const Playing> playing,
                      const RenderSettings& settings, std::span<const std::uint32_t> selected,
                      const glm::vec3& eye, bool halved);

  // Draws the lines of one half over the current framebuffer, which has the depth of the actors.
  // Sizes in pixels. `pixelsAtMeter` as in DrawPass. Fails with Internal (a shader).
  Result<void> draw(int half, const SceneLook& look, double pixelsAtMeter, int width, int height);

  // Actors with lines, and those that would have some without the limit.
  std::size_t actors() const { return actors_; }
  std::size_t wantedActors() const { return wantedActors_; }

 private:
  // A line in the buffer; from = to is a dot.
  struct Line {
    glm::vec3 from;
    float mostPixels;  // width at most
    glm::vec3 to;
    float meters;  // width
    glm::vec3 color;
    float nearerMeters;  // moved towards the eye by so much before depths are compared
  };
  // The poses of one character in one half, kept while its crowd goes on.
  struct Posed {
    const CharacterRenderer* renderer = nullptr;
    const Crowd* crowd = nullptr;
    std::uint64_t origin = 0;
    ActorPoses::Look look;
    std::unique_ptr<ActorPoses> poses;
  };
  // The values that do not change while a character is drawn.
  struct Body {
    const CharacterRenderer* renderer = nullptr;
    std::vector<int> parents;          // skinJointParents()
    std::vector<glm::dmat4> binds;     // joint space -> model space at bind time
    std::vector<std::uint32_t> drawn;  // vertices of visible triangles, into WeldedCharacter
    double size = 1.0;                 // diagonal of the bind box, metres
  };

  const ActorPoses& posesOf(const Playing& one, const CrowdView& crowd, int half,
                            const PoseSettings& settings, bool& source);
  const Body& bodyOf(const CharacterRenderer& renderer);
  std::vector<Line> linesOf(const Body& body, const std::vector<glm::dmat4>& skins,
                            const glm::dmat4& world, const RenderSettings& settings) const;

  ShaderLibrary& shaders_;
  std::vector<Posed> posed_;
  std::vector<Body> bodies_;
  Buffer lines_[2];  // by half
  GlHandle arrays_[2];
  std::size_t counts_[2] = {0, 0};
  bool halved_ = false;
  std::size_t actors_ = 0;
  std::size_t wantedActors_ = 0;
};

}  // namespace ck::render

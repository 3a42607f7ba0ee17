#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/crowd/mixed_crowd.h"
#include "core/detail/detail_plan.h"
#include "core/detail/triangle_budget.h"
#include "render/frame/frame_stats.h"
#include "render/scene/camera.h"
#include "render/view/actor_pieces.h"
#include "render/view/character_entry.h"
#include "render/view/playing.h"
#include "render/view/render_settings.h"

namespace ck::render {

// The camera that looks at a crowd, and the size of the picture in pixels.
struct DetailEye {
  const Camera& camera;
  int width = 0;
  int height = 0;
};

// Decides for every actor of a crowd how much of it is drawn (DetailPlan), and has what far ones
// are drawn with: simplified meshes, which a thread makes in the background, and pictures and
// points, which are made beside frames. Until then far actors are grey squares. A crowd of few
// triangles, views that show errors or steps, the method cpu and reference methods are drawn at
// full detail.
class CrowdDetail {
 public:
  // Crowds of fewer triangles than this are quick at full detail.
  static constexpr std::size_t kFewTriangles = 500'000;
  // Crowds of fewer triangles than this wait for their simpler meshes at full detail.
  static constexpr std::size_t kWaitingTriangles = 2'000'000;
  // Up to so many selected actors stay whole. Of more, which cannot be looked at one by one, far
  // ones are drawn as the others and marked.
  static constexpr std::size_t kMostWhole = 64;

  // Both must outlive it.
  CrowdDetail(ShaderLibrary& shaders, const ContextFacts& facts);
  ~CrowdDetail();  // stops the threads

  // The characters, and their renderers, which must outlive the next call; null for those without
  // one. Meshes and pictures of a character that is still there are kept.
  void setCast(std::span<const CharacterEntry> entries,
               std::span<const std::unique_ptr<CharacterRenderer>> cast);

  // Plans the next tick. Returns whether another one must be made because other actors, or other
  // ways to draw them, are chosen. `selected` holds visible actors of the crowd (kMostWhole).
  // Unless `isDue`, the crowd and the settings are those of the last plan.
  bool plan(const CrowdView& crowd, const DetailEye& eye, const RenderSettings& settings,
            std::span<const std::vector<std::uint32_t>> selected, bool isDue);
  // Full detail from now on, for read-backs. Returns whether another tick must be made.
  bool leaveOut();

  // Ticks what draws the actors of a character, and adds it to `drawn`. Arguments as in
  // CharacterRenderer::tick(). `mayDivide`: whether a crowd at full detail may be drawn in pieces.
  Result<void> tick(std::uint32_t character, CharacterRenderer& whole, const Crowd& crowd,
                    const RenderSettings& settings, std::span<const std::uint32_t> selected,
                    int selectedActor, std::optional<glm::vec3> eye, bool mayDivide,
                    std::vector<Playing>& drawn);

  // Draws the actors that are pictures, as of the last tick, and with DrawPass::ActorIds points,
  // too. `width` and `height` are those of the viewport in pixels. An actor's id is `pass.firstId`
  // plus the number of actors of the characters of farCharacters() before its own plus its index in
  // its crowd.
  Result<void> drawFar(const DrawPass& pass, int width, int height) const;
  // Draws the actors that are points over what is drawn, in passes of colours. Most cover a part of
  // a pixel, so all that is behind them must be there, and depth is tested and not written.
  Result<void> drawFarPoints(const DrawPass& pass, int width, int height) const;
  // Draws the soft shadows of those that are pictures; what a point casts is too small to be seen.
  Result<void> drawFarFootprints(Environment& environment, const SceneLook& look, Shadows shadows,
                                 int width, int height) const;
  // The characters with such actors.
  std::vector<std::uint32_t> farCharacters() const;

  // Draws what is drawn of a crowd into a shadow map, by the coarsest levels of detail that are off
  // by a texel of the map at most, for actors of scale 1. Returns the number of triangles.
  Result<std::size_t> drawShadows(std::span<const Playing> drawn, const ShadowCascades& cascades,
                                  int map, const DrawPass& pass) const;

  // Waits until everything is made that this crowd can be drawn with. For pictures that are made
  // once.
  void complete();

  // Adds the draws of far actors, what was uploaded of the crowd, and how a crowd with levels of
  // detail is drawn. `playing`: the characters with actors, as of the last tick.
  void addTo(FrameStats& stats, std::span<const Playing> playing) const;

 private:
  struct Character;

  bool isWanted(const CrowdView& crowd, const RenderSettings& settings);
  std::optional<DetailStats> stats() const;
  DetailStats::Cast castOf(std::uint32_t character) const;
  int farDraws() const;
  Result<void> tickFar(Character& one, const Crowd& crowd, const RenderSettings& settings);
  Result<void> tickPassing(Character& one, std::size_t way, PieceTick tick,
                           std::vector<Playing>& drawn);
  Result<void> drawEach(DrawPass pass, bool points, int width, int height) const;
  const CharacterRenderer* casterOf(const Playing& drawn, double texelMeters) const;
  bool isPending() const;
  double walkedSince(std::size_t character, const Crowd& crowd) const;
  bool takeTask(const CrowdView& crowd, const RenderSettings& settings,
                std::span<const std::vector<std::uint32_t>> selected);
  void budgetMemory(std::size_t mostBytes);
  void keepToBudget(const RenderSettings& settings);
  bool planActors(const CrowdView& crowd, const DetailEye& eye, const RenderSettings& settings,
                  std::span<const std::vector<std::uint32_t>> selected);
  std::vector<DetailStats::Refusal> refusals() const;
  std::size_t dissolving() const;
  void setWays(Character& one, const PoseSettings& pose);
  DetailWays waysFor(const Character& one, double pixels) const;

  ShaderLibrary& shaders_;
  const ContextFacts& facts_;

  std::vector<CharacterEntry> entries_;
  std::vector<std::unique_ptr<Character>> cast_;
  bool on_ = false;
  // The input of the last plan, besides the view.
  struct Task {
    std::vector<std::uint64_t> places;  // stamps, by character
    RenderSettings settings;
    std::vector<std::vector<std::uint32_t>> selected;
    bool operator==(const Task&) const = default;
  };
  std::optional<Task> task_;
  Camera seenBy_;  // of the last plan
  glm::ivec2 seenSize_{0};
  double pixels_ = 1.0;
  double askedPixels_ = 1.0;
  TriangleBudget budget_;
  std::size_t memoryEach_ = 0;  // bytes of simpler meshes and pictures of a character; 0: no limit
  std::size_t actors_ = 0;
  std::size_t triangles_ = 0;  // of all actors at full detail
};

}  // namespace ck::render

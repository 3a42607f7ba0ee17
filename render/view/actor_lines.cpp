#include "render/view/actor_lines.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/anim/pose.h"
#include "core/base/parallel_for.h"
#include "render/scene/camera.h"
#include "render/view/drawable_view.h"

namespace ck::render {
namespace {

// Widths as shares of the body's size, and at most in pixels of an image 720 pixels high.
constexpr float kBoneShare = 0.007f;
constexpr float kBonePixels = 2.6f;
constexpr float kDotShare = 0.016f;
constexpr float kDotPixels = 6.0f;
constexpr float kAxisShare = 0.004f;
constexpr float kAxisPixels = 2.0f;
constexpr float kBoxShare = 0.005f;
constexpr float kBoxPixels = 1.6f;
constexpr double kImagePixels = 720.0;
// The length of axes, as a share of the bone before and within shares of the body.
constexpr double kAxisOfBone = 0.35;
constexpr double kShortestAxis = 0.012;
constexpr double kLongestAxis = 0.045;
// Bones lie inside the body, which must not count as being in front of them.
constexpr double kBodyDepth = 0.3;
constexpr float kHiddenOpacity = 0.35f;

// Corners of cornersOf() that an edge connects.
constexpr std::pair<int, int> kEdges[] = {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {0, 2}, {1, 3},
                                          {4, 6}, {5, 7}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};

// The visible actors with lines: the nearest to the eye if there are too many.
std::vector<std::uint32_t> nearestActors(const CrowdView& crowd,
                                         std::span<const std::uint32_t> selected,
                                         const glm::vec3& eye) {
  std::vector<std::uint32_t> actors(selected.begin(), selected.end());
  std::erase_if(actors, [&crowd](std::uint32_t actor) { return actor >= crowd.size(); });
  if (selected.empty()) {
    for (std::uint32_t actor = 0; actor < crowd.size(); ++actor) actors.push_back(actor);
  }
  if (actors.size() <= ActorLines::kMost) return actors;
  std::vector<ActorRecords> records;
  for (const Crowd& one : crowd.crowds()) records.push_back(one.instances());
  std::vector<std::pair<float, std::uint32_t>> byDistance;
  byDistance.reserve(actors.size());
  for (const std::uint32_t actor : actors) {
    const ActorPlace place = crowd.placeOf(actor);
    const glm::vec3 off = records[place.character].places()[place.index].position - eye;
    byDistance.emplace_back(glm::dot(off, off), actor);
  }
  std::nth_element(byDistance.begin(), byDistance.begin() + ActorLines::kMost, byDistance.end());
  actors.clear();
  for (std::size_t i = 0; i < ActorLines::kMost; ++i) actors.push_back(byDistance[i].second);
  return actors;
}

// The box of posed vertices in the actor's own space.
Bounds posedBox(std::span<const GpuVertex> vertices, std::span<const std::uint32_t> drawn,
                const std::vector<glm::dmat4>& skins) {
  const std::vector<glm::mat4> matrices(skins.begin(), skins.end());
  glm::vec3 low(1e30f);
  glm::vec3 high(-1e30f);
  for (const std::uint32_t v : drawn) {
    const GpuVertex& vertex = vertices[v];
    glm::vec3 place(0.0f);
    for (std::size_t i = 0; i < vertex.weights.size() && vertex.weights[i] > 0.0f; ++i) {
      place += vertex.weights[i] *
               glm::vec3(matrices[vertex.skinJoints[i]] * glm::vec4(vertex.position, 1.0f));
    }
    low = glm::min(low, place);
    high = glm::max(high, place);
  }
  return {glm::dvec3(low), glm::dvec3(high)};
}

}  // namespace

const ActorLines::Body& ActorLines::bodyOf(const CharacterRenderer& renderer) {
  const auto known = std::ranges::find(bodies_, &renderer, &Body::renderer);
  if (known != bodies_.end()) return *known;
  const CharacterGpu& gpu = *renderer.character();
  Body& body = bodies_.emplace_back();
  body.renderer = &renderer;
  body.parents = skinJointParents(gpu.character->rig);
  for (const SkinJoint& joint : gpu.character->rig.skinJoints) {
    body.binds.push_back(glm::inverse(joint.inverseBind));
  }
  std::vector<char> seen(gpu.vertexCount(), 0);
  for (const IndexRun& run : renderer.visibleRuns()) {
    for (std::uint32_t i = run.first; i < run.first + run.count; ++i) {
      seen[gpu.welded.indices[i]] = 1;
    }
  }
  for (std::uint32_t v = 0; v < seen.size(); ++v) {
    if (seen[v] != 0) body.drawn.push_back(v);
  }
  const Bounds box = bindBounds(*gpu.character);
  body.size = std::max(glm::length(box.high - box.low), 1e-4);
  return body;
}

const ActorPoses& ActorLines::posesOf(const Playing& one, const CrowdView& crowd, int half,
                                      const PoseSettings& asked, bool& source) {
  const CharacterRenderer& renderer = *one.characterRenderer;
  const Atlas* atlas = renderer.atlas() != nullptr ? renderer.atlas()->atlas.get() : nullptr;
  PoseSettings pose = settledFor(asked, atlas);
  const ViewMode mode = renderer.viewModeFor(pose);
  // As CharacterRenderer draws the halves.
  if (mode == ViewMode::Blends) {
    pose.method = half == 0 ? Method::Palette : Method::Atlas;
    pose.sampling = Sampling::Interpolated;
    pose.fades = true;
  }
  const MethodInfo& method = methodInfo(pose.method);
  source = mode == ViewMode::Source || (mode == ViewMode::Split && half == 0) || method.posesClips;
  const ActorPoses::Look look{.interpolate = isBetweenFrames(pose.sampling),
                              .fades = pose.fades,
                              .reading = method.reading,
                              .mixes = method.reads == VertexReads::Pool,
                              .filters = pose.sampling == Sampling::HardwareLinear,
                              .masks = method.posesClips};
  const Crowd& own = crowd.crowds()[one.character];
  const std::uint64_t origin = own.stamp().origin;
  for (const Posed& known : posed_) {
    const bool same = known.renderer == &renderer && known.crowd == &own &&
                      known.origin == origin && known.look == look;
    if (same) return *known.poses;
  }
  posed_.push_back(
      {&renderer, &own, origin, look,
       std::make_unique<ActorPoses>(*renderer.character()->character, atlas, own, look)});
  return *posed_.back().poses;
}

std::vector<ActorLines::Line> ActorLines::linesOf(const Body& body,
                                                  const std::vector<glm::dmat4>& skins,
                                                  const glm::dmat4& world,
                                                  const RenderSettings& settings) const {
  std::vector<Line> lines;
  const double scale = glm::length(glm::dvec3(world[1]));
  const double size = body.size * std::max(scale, 1e-6);
  const auto nearer = static_cast<float>(kBodyDepth * size);
  const auto add = [&](const glm::dvec3& from, const glm::dvec3& to, float share, float pixels,
                       const glm::vec3& color, float before) {
    lines.push_back(
        {glm::vec3(from), pixels, glm::vec3(to), share * static_cast<float>(size), color, before});
  };
  std::vector<glm::dmat4> joints;
  for (std::size_t j = 0; j < skins.size(); ++j) joints.push_back(world * skins[j] * body.binds[j]);
  const auto placeOf = [&joints](std::size_t joint) { return glm::dvec3(joints[joint][3]); };
  if (settings.view.lines.bounds && !body.drawn.empty()) {
    const std::vector<GpuVertex>& vertices = body.renderer->character()->welded.vertices;
    const auto corners = cornersOf(posedBox(vertices, body.drawn, skins));
    for (const auto& [from, to] : kEdges) {
      add(transformPoint(world, corners[static_cast<std::size_t>(from)]),
          transformPoint(world, corners[static_cast<std::size_t>(to)]), kBoxShare, kBoxPixels,
          kBoundsColor, 0.0f);
    }
  }
  for (std::size_t j = 0; settings.view.lines.skeleton && j < joints.size(); ++j) {
    if (body.parents[j] < 0) continue;
    add(placeOf(static_cast<std::size_t>(body.parents[j])), placeOf(j), kBoneShare, kBonePixels,
        kBoneColor, nearer);
  }
  for (std::size_t j = 0; settings.view.lines.skeleton && j < joints.size(); ++j) {
    add(placeOf(j), placeOf(j), kDotShare, kDotPixels, kBoneColor, nearer);
  }
  for (std::size_t j = 0; settings.view.lines.jointAxes && j < joints.size(); ++j) {
    const int parent = body.parents[j];
    const double bone =
        parent < 0 ? size : glm::distance(placeOf(j), placeOf(static_cast<std::size_t>(parent)));
    const double length = std::clamp(kAxisOfBone * bone, kShortestAxis * size, kLongestAxis * size);
    for (int axis = 0; axis < 3; ++axis) {
      const glm::dvec3 along(joints[j][axis]);
      const double own = glm::length(along);
      if (!(own > 1e-12)) continue;
      add(placeOf(j), placeOf(j) + along * (length / own), kAxisShare, kAxisPixels,
          kAxisColors[axis], nearer);
    }
  }
  return lines;
}

Result<void> ActorLines::update(const CrowdView& crowd, std::span<const Playing> playing,
                                const RenderSettings& settings,
                                std::span<const std::uint32_t> selected, const glm::vec3& eye,
                                bool halved) {
  halved_ = halved;
  counts_[0] = counts_[1] = 0;
  actors_ = 0;
  wantedActors_ = selected.empty() ? crowd.size() : selected.size();
  // Renderers that are gone must not be mistaken for new ones at their place.
  const auto plays = [&](const CharacterRenderer* renderer) {
    return std::ranges::any_of(
        playing, [renderer](const Playing& one) { return one.characterRenderer == renderer; });
  };
  std::erase_if(posed_, [&](const Posed& one) {
    return !plays(one.renderer) || std::ranges::none_of(crowd.crowds(), [&one](const Crowd& own) {
      return &own == one.crowd && own.stamp().origin == one.origin;
    });
  });
  std::erase_if(bodies_, [&](const Body& one) { return !plays(one.renderer); });
  if (!wanted(settings)) return {};
  const std::vector<std::uint32_t> chosen = nearestActors(crowd, selected, eye);
  const auto byCharacter = selectedByCharacter(crowd, chosen);
  for (int half = 0; half < (halved ? 2 : 1); ++half) {
    std::vector<Line> all;
    for (const Playing& one : playing) {
      const std::vector<std::uint32_t>& own = byCharacter[one.character];
      if (own.empty()) continue;
      bool source = false;
      // A halved view without an atlas shows the source on both sides.
      const ActorPoses& poses = posesOf(one, crowd, half, settings.view.pose, source);
      const Body& body = bodyOf(*one.characterRenderer);
      const ActorRecords records = crowd.crowds()[one.character].instances();
      std::vector<std::vector<Line>> lines(own.size());
      parallelFor(own.size(), {}, [&](std::size_t i) {
        lines[i] = linesOf(body, source ? poses.source(own[i]) : poses.baked(own[i]),
                           actorMatrix(records[own[i]]), settings);
      });
      for (const std::vector<Line>& each : lines) all.insert(all.end(), each.begin(), each.end());
      if (half == 0) actors_ += own.size();
    }
    const auto h = static_cast<std::size_t>(half);
    if (all.empty()) continue;
    if (auto stored = lines_[h].upload(all, BufferUse::Stream, "the lines"); !stored) return stored;
    counts_[h] = all.size();
  }
  return {};
}

Result<void> ActorLines::draw(int half, const SceneLook& look, double pixelsAtMeter, int width,
                              int height) {
  const auto h = static_cast<std::size_t>(halved_ ? half : 0);
  if (counts_[h] == 0) return {};
  auto program = shaders_.program({"scene/line.vert", "scene/line.frag", {}, {}});
  if (!program) return tl::unexpected(program.error());
  if (!arrays_[h]) {
    arrays_[h] = GlHandle::generate(GlKind::VertexArray);
    glBindVertexArray(arrays_[h].name());
    glBindBuffer(GL_ARRAY_BUFFER, lines_[h].name());
    for (GLuint attribute = 0; attribute < 3; ++attribute) {
      glEnableVertexAttribArray(attribute);
      glVertexAttribPointer(attribute, 4, GL_FLOAT, GL_FALSE, sizeof(Line),
                            reinterpret_cast<const void*>(attribute * sizeof(glm::vec4)));
      glVertexAttribDivisor(attribute, 1);
    }
    glBindBuffer(GL_ARRAY_BUFFER, 0);
  }
  setLook(**program, look);
  (*program)->set("ckPixels", glm::vec2(width, height));
  (*program)->set("ckPixelsAtMeter", static_cast<float>(pixelsAtMeter));
  const double larger = std::clamp(height / kImagePixels, 0.6, 4.0);
  (*program)->set("ckWidthScale", static_cast<float>(larger));
  glBindVertexArray(arrays_[h].name());
  glDepthMask(GL_FALSE);
  glEnable(GL_BLEND);
  glBlendFuncSeparate(GL_ONE, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE);
  for (const bool hidden : {true, false}) {
    glDepthFunc(hidden ? GL_GREATER : GL_LEQUAL);
    (*program)->set("ckOpacity", hidden ? kHiddenOpacity : 1.0f);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(counts_[h]));
  }
  glDisable(GL_BLEND);
  glDepthMask(GL_TRUE);
  glDepthFunc(GL_LESS);
  glBindVertexArray(0);
  return {};
}

}  // namespace ck::render

#include "render/reference/read_back.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <cmath>

#include "core/base/assert.h"
#include "render/gl/framebuffer.h"
#include "render/view/playing.h"

namespace ck::render {
namespace {

// Feeds back all merged vertices of a character renderer, actor-major.
template <class Value>
Result<std::vector<Value>> feedBack(const CharacterRenderer& characterRenderer, DrawPass pass) {
  std::vector<Value> values(characterRenderer.actors() *
                            characterRenderer.character()->vertexCount());
  Buffer buffer;
  auto room = buffer.allocate(std::max<std::size_t>(values.size() * sizeof(Value), 4),
                              "the vertices to read back");
  if (!room) return tl::unexpected(room.error());
  pass.feedbackBuffer = buffer.name();
  // In a split view the right half: the baked poses, or the reference method.
  if (auto drawn = characterRenderer.draw(1, pass); !drawn) return tl::unexpected(drawn.error());
  buffer.read(values);
  return values;
}

// Feeds back all character renderers, in the order of the crowd's actors and the characters' own
// vertices.
template <class Value>
Result<std::vector<Value>> feedBackEvery(const CrowdView& crowd, const CrowdRenderer& renderer,
                                         const DrawPass& pass) {
  // A context without a window has no default framebuffer, which transform feedback needs.
  const KeptFramebuffer kept;
  auto target = Target::make(1, 1, TargetFormat::Rgba8);
  if (!target) return tl::unexpected(target.error());
  glBindFramebuffer(GL_FRAMEBUFFER, target->name());
  std::vector<std::vector<Value>> fedBack(crowd.crowds().size());
  std::vector<const CharacterGpu*> characters(crowd.crowds().size(), nullptr);
  for (const Playing& one : renderer.playing()) {
    auto values = feedBack<Value>(*one.characterRenderer, pass);
    if (!values) return tl::unexpected(values.error());
    fedBack[one.character] = std::move(*values);
    characters[one.character] = one.characterRenderer->character().get();
  }
  std::vector<Value> all;
  for (std::size_t visible = 0; visible < crowd.size(); ++visible) {
    const ActorPlace place = crowd.placeOf(visible);
    if (characters[place.character] == nullptr) continue;
    const CharacterGpu& character = *characters[place.character];
    const std::size_t first = place.index * character.vertexCount();
    for (const std::uint32_t vertex : character.welded.weldedOf) {
      all.push_back(fedBack[place.character][first + vertex]);
    }
  }
  return all;
}

}  // namespace

Result<std::vector<glm::vec3>> readBackPositions(CrowdRenderer& renderer, const CrowdView& crowd,
                                                 const RenderSettings& settings,
                                                 std::optional<glm::vec3> eye) {
  if (auto posed = renderer.pose(crowd, settings, eye); !posed) {
    return tl::unexpected(posed.error());
  }
  return feedBackEvery<glm::vec3>(crowd, renderer, {.kind = DrawPass::Kind::Positions});
}

Result<std::vector<glm::vec3>> readBackMotion(CrowdRenderer& renderer, const CrowdView& crowd,
                                              const RenderSettings& settings,
                                              const Camera* camera) {
  CK_ASSERT(settings.view.pose.viewMode == ViewMode::Motion);
  if (auto posed = renderer.pose(crowd, settings, std::nullopt, camera); !posed) {
    return tl::unexpected(posed.error());
  }
  return feedBackEvery<glm::vec3>(
      crowd, renderer, {.kind = DrawPass::Kind::Motion, .cameraStep = renderer.cameraStep()});
}

Result<std::vector<glm::vec4>> readBackTangents(CrowdRenderer& renderer, const CrowdView& crowd,
                                                const RenderSettings& settings) {
  CK_ASSERT(settings.view.pose.viewMode == ViewMode::Tangents);
  if (auto posed = renderer.pose(crowd, settings); !posed) return tl::unexpected(posed.error());
  return feedBackEvery<glm::vec4>(crowd, renderer, {.kind = DrawPass::Kind::Tangents});
}

Result<std::vector<glm::vec3>> readBackNormals(CrowdRenderer& renderer, const CrowdView& crowd,
                                               const RenderSettings& settings) {
  if (auto posed = renderer.pose(crowd, settings); !posed) return tl::unexpected(posed.error());
  auto normals = feedBackEvery<glm::vec3>(crowd, renderer, {.kind = DrawPass::Kind::Normals});
  if (!normals) return normals;
  for (glm::vec3& normal : *normals) {
    // Cofactors of small matrices are smaller still, so the length is divided out in two steps.
    const float largest = std::max({std::abs(normal.x), std::abs(normal.y), std::abs(normal.z)});
    normal = largest > 0.0f ? glm::normalize(normal / largest) : glm::vec3(0.0f);
  }
  return normals;
}

}  // namespace ck::render

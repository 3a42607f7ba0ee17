#include "render/view/static_scene.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <glm/gtc/quaternion.hpp>
#include <numeric>

#include "core/anim/pose.h"
#include "core/base/assert.h"
#include "core/view/footprints.h"
#include "render/skinning/actor_poses.h"

namespace ck::render {
namespace {

constexpr int kNoTint = 0xffff;  // white, in the upper half of CkPlace::look

std::size_t shapeOf(std::span<const CharacterPtr> shapes, const PlacedProp& prop) {
  return static_cast<std::size_t>(std::find(shapes.begin(), shapes.end(), prop.shape) -
                                  shapes.begin());
}

// Merges characters with one joint each into one.
Character joined(std::span<const CharacterPtr> shapes) {
  Character all;
  all.name = "the props";
  all.rig = shapes.front()->rig;
  for (const CharacterPtr& shape : shapes) {
    const int firstMaterial = static_cast<int>(all.materials.size());
    const int firstImage = static_cast<int>(all.images.size());
    for (Mesh mesh : shape->meshes) {
      if (mesh.material >= 0) mesh.material += firstMaterial;
      all.meshes.push_back(std::move(mesh));
    }
    for (Material material : shape->materials) {
      for (SurfaceMap* map :
           {&material.base, &material.normal, &material.metalRoughness, &material.emissive}) {
        if (*map) map->image += firstImage;
      }
      all.materials.push_back(std::move(material));
    }
    all.images.insert(all.images.end(), shape->images.begin(), shape->images.end());
  }
  return all;
}

gpu::CkPlace placeOf(const PlacedProp& prop) {
  const float half = glm::radians(prop.yawDegrees) * 0.5f;
  return {.position = prop.position,
          .look = kNoTint << 16,
          .rotation = glm::vec4(0.0f, std::sin(half), 0.0f, std::cos(half)),
          .scale = glm::vec3(prop.scale)};
}

void grow(std::optional<Bounds>& box, const glm::dvec3& point) {
  if (!box) box = Bounds{point, point};
  box->low = glm::min(box->low, point);
  box->high = glm::max(box->high, point);
}

}  // namespace

StaticScene::StaticScene(ShaderLibrary& shaders, const ContextFacts& facts)
    : shaders_(shaders), commands_(facts) {}

Result<void> StaticScene::set(std::span<const PlacedProp> props) {
  std::vector<CharacterPtr> shapes;
  for (const PlacedProp& prop : props) {
    CK_ASSERT(prop.shape != nullptr);
    if (shapeOf(shapes, prop) == shapes.size()) shapes.push_back(prop.shape);
  }
  placed_.assign(props.begin(), props.end());
  std::stable_sort(placed_.begin(), placed_.end(),
                   [&shapes](const PlacedProp& a, const PlacedProp& b) {
                     return shapeOf(shapes, a) < shapeOf(shapes, b);
                   });
  auto done = uploadGround();
  if (done) done = uploadShapes(shapes);
  if (done) done = uploadPlaces();
  if (done) return done;
  placed_.clear();
  shapes_.clear();
  gpu_.reset();
  if (auto ground = uploadPlaces(); !ground) return ground;
  return done;
}

Result<void> StaticScene::uploadShapes(std::span<const CharacterPtr> shapes) {
  if (std::equal(shapes.begin(), shapes.end(), shapes_.begin(), shapes_.end())) return {};
  shapes_.clear();
  runs_.clear();
  gpu_.reset();
  if (shapes.empty()) return {};
  auto uploaded = uploadCharacter(std::make_shared<const Character>(joined(shapes)));
  if (!uploaded) return tl::unexpected(uploaded.error());
  std::vector<Footprint> footprints;
  std::size_t mesh = 0;
  const std::vector<std::uint32_t>& starts = uploaded->welded.meshStarts;
  for (const CharacterPtr& shape : shapes) {
    const std::size_t end = mesh + shape->meshes.size();
    runs_.push_back({starts[mesh], starts[end] - starts[mesh]});
    mesh = end;
    footprints.push_back(shapeFootprint(*shape));
  }
  auto casters = uploadShadowCasters(footprints);
  if (!casters) return tl::unexpected(casters.error());
  casters_ = std::move(*casters);
  gpu_.emplace(std::move(*uploaded));
  vertexArray_ = makeActorVertexArray(*gpu_, &places_);
  shapes_.assign(shapes.begin(), shapes.end());
  return {};
}

Result<void> StaticScene::uploadPlaces() {
  OwnedActorRecords records;
  std::vector<DrawCommand> commands(shapes_.size());
  std::vector<std::array<glm::dvec3, 8>> corners;
  for (const CharacterPtr& shape : shapes_) corners.push_back(cornersOf(bindBounds(*shape)));
  box_.reset();
  for (const PlacedProp& prop : placed_) {
    const std::size_t shape = shapeOf(shapes_, prop);
    DrawCommand& command = commands[shape];
    if (command.instances == 0) {
      command.firstInstance = static_cast<std::uint32_t>(records.size());
    }
    ++command.instances;
    command.indices = runs_[shape].count;
    command.firstIndex = runs_[shape].first;
    // The frame selects the shape's footprint.
    const gpu::CkFrames frames{
        .frameA = static_cast<int>(shape), .alphaA = 0.0f, .frameB = -1, .alphaB = 0.0f};
    records.add(placeOf(prop), frames);
    const glm::dmat4 world = actorMatrix(gpu::ck_actorOf(records.places.back(), frames));
    for (const glm::dvec3& corner : corners[shape]) grow(box_, transformPoint(world, corner));
  }
  commands.push_back({kGroundCorners, 1, 0, 0, 0});
  if (auto stored = commands_.set(commands); !stored) return stored;
  return records.size() == 0 ? Result<void>() : places_.upload(records.view(), {});
}

Result<void> StaticScene::uploadGround() {
  if (groundArray_) return {};
  std::vector<std::uint16_t> corners(kGroundCorners);
  std::iota(corners.begin(), corners.end(), std::uint16_t{0});
  auto stored = groundIndices_.upload(corners, BufferUse::Static, "the ground");
  if (!stored) return stored;
  groundArray_ = GlHandle::generate(GlKind::VertexArray);
  glBindVertexArray(groundArray_.name());
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, groundIndices_.name());
  glBindVertexArray(0);
  return {};
}

Result<void> StaticScene::drawProps(DrawPass pass) {
  if (placed_.empty() || (pass.overlaid && !isBlended())) return {};
  pass.runs = {};
  pass.morphs = nullptr;
  pass.previous = nullptr;
  pass.litBefore = false;
  const auto found = programFor(shaders_, {.file = "pose/placed_pose.glsl"}, pass, *gpu_);
  if (!found) return tl::unexpected(found.error());
  const ActorPass started(**found, vertexArray_, *gpu_, places_, pass);
  commands_.submit({0, shapes_.size(), gpu_->wideIndices},
                   [this](std::size_t first) { places_.attach(first); });
  return {};
}

Result<void> StaticScene::drawFootprints(Environment& environment, const SceneLook& look,
                                         Shadows shadows) {
  if (placed_.empty()) return {};
  return environment.drawFootprints(look, casters_, places_, shadows);
}

void StaticScene::submitGround() const {
  glBindVertexArray(groundArray_.name());
  commands_.submit({commands_.size() - 1, 1, false});
}

}  // namespace ck::render

#include "core/anim/pose.h"

#include <algorithm>

#include "core/anim/clip_sampler.h"
#include "core/base/assert.h"
#include "core/base/transform.h"

namespace ck {

void globalMatrices(const Rig& rig, std::span<const Trs> locals, std::span<glm::dmat4> globals) {
  CK_ASSERT(locals.size() == rig.joints.size() && globals.size() == rig.joints.size());
  for (std::size_t j = 0; j < rig.joints.size(); ++j) {
    const Joint& joint = rig.joints[j];
    const glm::dmat4 local = joint.preTransform * toMatrix(locals[j]);
    globals[j] = joint.parent < 0 ? local : globals[static_cast<std::size_t>(joint.parent)] * local;
  }
}

std::vector<glm::dmat4> globalMatrices(const Rig& rig, std::span<const Trs> locals) {
  std::vector<glm::dmat4> globals(rig.joints.size());
  globalMatrices(rig, locals, globals);
  return globals;
}

std::vector<glm::dmat4> restMatrices(const Rig& rig) {
  return globalMatrices(rig, sampleClip(rig, {}, 0.0));
}

std::vector<glm::dmat4> skinMatrices(const Rig& rig, std::span<const glm::dmat4> globals) {
  std::vector<glm::dmat4> skins;
  skins.reserve(rig.skinJoints.size());
  for (const SkinJoint& skinJoint : rig.skinJoints) {
    skins.push_back(globals[static_cast<std::size_t>(skinJoint.joint)] * skinJoint.inverseBind);
  }
  return skins;
}

std::vector<glm::dmat4> skinMatricesAt(const Rig& rig, const Clip& clip, double seconds) {
  return skinMatrices(rig, globalMatrices(rig, sampleClip(rig, clip, seconds)));
}

Bounds bindBounds(const Character& character) {
  const std::vector<glm::dmat4> skins = skinMatrices(character.rig, restMatrices(character.rig));
  Bounds bounds;
  bool first = true;
  for (const Mesh& mesh : character.meshes) {
    // Joints are stored parents first, so the smallest index is the topmost joint.
    int top = mesh.influences.empty() ? -1 : mesh.influences.front().skinJoint;
    for (const Influence& influence : mesh.influences) top = std::min(top, influence.skinJoint);
    const glm::dmat4 place = top < 0 ? glm::dmat4(1.0) : skins[static_cast<std::size_t>(top)];
    for (const glm::vec3& position : mesh.positions) {
      const glm::dvec3 p = transformPoint(place, glm::dvec3(position));
      bounds.low = first ? p : glm::min(bounds.low, p);
      bounds.high = first ? p : glm::max(bounds.high, p);
      first = false;
    }
  }
  return bounds;
}

}  // namespace ck

#include "core/anim/pose.h"

#include "core/anim/clip_sampler.h"
#include "core/base/assert.h"

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
  std::vector<Trs> locals;
  locals.reserve(rig.joints.size());
  for (const Joint& joint : rig.joints) locals.push_back(joint.rest);
  return globalMatrices(rig, locals);
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

}  // namespace ck

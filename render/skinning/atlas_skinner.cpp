#include "render/skinning/atlas_skinner.h"

#include <epoxy/gl.h>

namespace ck::render {

AtlasSkinner::AtlasSkinner(const SkinnerInput& input)
    : input_(input), vertexArray_(makeActorVertexArray(input.character, input.actors)) {
  variant_.rangePerClip = input.atlas->rangePerClip;
}

Result<void> AtlasSkinner::update(const SkinningTick& tick) {
  variant_.influences = tick.influences;
  variant_.interpolate = tick.interpolate;
  return {};
}

Result<void> AtlasSkinner::draw(const DrawPass& pass) const {
  ShaderVariant variant = variant_;
  variant.pass = pass.kind;
  auto found = input_.shaders.program(requestFor(variant));
  if (!found) return tl::unexpected(found.error());
  const Program& program = **found;
  const AtlasGpu& atlas = *input_.atlas;
  program.use();
  program.set("ckShapeBlock", atlas.atlas->shape.block);
  program.set("ckShapeExtent", atlas.atlas->shape.extent);
  program.set("ckJointCount", static_cast<int>(atlas.atlas->joints.size()));
  program.set("ckFrameCount", atlas.frameCount);
  glActiveTexture(GL_TEXTURE0 + unit::kAtlas);
  glBindTexture(GL_TEXTURE_2D, atlas.texture.name());
  atlas.joints.bind(unit::kJoints);
  if (atlas.rangePerClip) atlas.frameClips.bind(unit::kFrameClips);
  drawActors(program, vertexArray_, input_.character, input_.actors, pass);
  return {};
}

int AtlasSkinner::fetchesPerVertex() const {
  const int texels = encodingInfo(input_.atlas->atlas->encoding).texelsPerJoint;
  return texels * variant_.influences * (variant_.interpolate ? 2 : 1);
}

}  // namespace ck::render

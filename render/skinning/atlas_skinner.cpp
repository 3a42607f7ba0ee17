#include "render/skinning/atlas_skinner.h"

#include <epoxy/gl.h>

namespace ck::render {
namespace {

// The atlas on its unit, read texel by texel or mixed between the rows.
void bindAtlas(const AtlasGpu& atlas, Sampling sampling) {
  glActiveTexture(GL_TEXTURE0 + unit::kAtlas);
  glBindTexture(GL_TEXTURE_2D, atlas.texture.name());
  const GLint filter = sampling == Sampling::HardwareLinear ? GL_LINEAR : GL_NEAREST;
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

}  // namespace

AtlasSkinner::AtlasSkinner(const SkinnerInput& input)
    : input_(input), vertexArray_(makeActorVertexArray(input.character, &input.actors)) {
  variant_.record = input.actors.form();
  variant_.nextInB = input.nextInB;
  variant_.layout = shaderLayoutOf(*input.atlas);
  const TexelCode code = codeOf(*input.atlas->atlas);
  variant_.form = formOf(*input.atlas->atlas);
  variant_.texels = texelsPerJoint(code);
  variant_.ranged = variant_.form == PoseForm::Trs && rangesPerJoint(code) > 0;
  variant_.jointVectors = input.atlas->jointVectors;
  variant_.rangePerClip = input.atlas->rangePerClip;
}

Result<void> AtlasSkinner::update(const SkinningTick& tick) {
  const AtlasVariant wanted{tick.sampling, tick.influences,
                            tick.fades && tick.crowd.fadingActors() > 0};
  if (std::string reason = whyNotSampled(*input_.atlas->atlas, wanted); !reason.empty()) {
    return fail(ErrorCode::Unsupported, std::move(reason));
  }
  variant_.influences = wanted.influences;
  variant_.sampling = wanted.sampling;
  variant_.blend = wanted.blend;
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
  bindAtlas(atlas, variant.sampling);
  atlas.joints.bind(unit::kJoints);
  if (atlas.rangePerClip) atlas.frameClips.bind(unit::kFrameClips);
  drawActors(program, vertexArray_, input_.character, input_.actors, pass);
  return {};
}

int AtlasSkinner::fetchesPerVertex() const {
  return render::fetchesPerVertex(*input_.atlas->atlas,
                                  {variant_.sampling, variant_.influences, variant_.blend});
}

}  // namespace ck::render

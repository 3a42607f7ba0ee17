#include "render/skinning/atlas_decode.h"

#include <epoxy/gl.h>

#include <bit>

namespace ck::render {
namespace {

// CK_LAYOUT of atlas_joint.glsl.
enum class ShaderLayout { Column, Blocks, Linear };

ShaderLayout layoutOf(const AtlasGpu& atlas) {
  const gpu::CkAtlasShape& shape = atlas.atlas->shape;
  if (shape.extent.w == 1) return ShaderLayout::Linear;
  return atlas.frameCount <= shape.block.z ? ShaderLayout::Column : ShaderLayout::Blocks;
}

}  // namespace

std::vector<ShaderDefine> decodeDefines(const AtlasGpu& atlas) {
  const TexelCode code = codeOf(*atlas.atlas);
  const EncodingInfo& encoding = encodingInfo(code.encoding);
  const ShaderLayout layout = layoutOf(atlas);
  const auto width = static_cast<unsigned>(atlasWidth(*atlas.atlas));
  const bool shifts = layout == ShaderLayout::Linear && std::has_single_bit(width);
  return {{"CK_LAYOUT", static_cast<int>(layout)},
          {"CK_LINE_SHIFT", shifts ? std::countr_zero(width) : -1},
          {"CK_FORM", static_cast<int>(formOf(*atlas.atlas))},
          {"CK_AT_ORIGIN", encoding.atOrigin},
          {"CK_TEXELS", texelsPerJoint(code)},
          {"CK_RANGED", rangesPerJoint(code)},
          {"CK_SIGNED", !isFloat(encoding.format)},
          {"CK_JOINT_VECTORS", atlas.jointVectors},
          {"CK_RANGE_PER_CLIP", atlas.rangePerClip}};
}

void bindAtlas(const Program& program, const AtlasGpu& atlas, Sampling sampling) {
  program.set("ckShapeBlock", atlas.atlas->shape.block);
  program.set("ckShapeExtent", atlas.atlas->shape.extent);
  program.set("ckJointCount", static_cast<int>(atlas.atlas->joints.size()));
  program.set("ckFrameCount", atlas.frameCount);
  glActiveTexture(GL_TEXTURE0 + unit::kAtlas);
  glBindTexture(GL_TEXTURE_2D, atlas.texture.name());
  const GLint filter = sampling == Sampling::HardwareLinear ? GL_LINEAR : GL_NEAREST;
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  atlas.joints.bind(unit::kJoints);
  if (atlas.rangePerClip) atlas.frameClips.bind(unit::kFrameClips);
}

}  // namespace ck::render

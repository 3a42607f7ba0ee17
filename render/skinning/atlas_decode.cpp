#include "render/skinning/atlas_decode.h"

#include <epoxy/gl.h>

#include <bit>

namespace ck::render {
namespace {

ShaderLayout layoutOf(const AtlasGpu& atlas) {
  const gpu::CkAtlasShape& shape = atlas.atlas->shape;
  if (shape.extent.w == 1) return ShaderLayout::Linear;
  return atlas.frameCount <= shape.block.z ? ShaderLayout::Column : ShaderLayout::Blocks;
}

}  // namespace

AtlasDecode decodeOf(const AtlasGpu& atlas) {
  const TexelCode code = codeOf(*atlas.atlas);
  AtlasDecode decode;
  decode.layout = layoutOf(atlas);
  const auto width = static_cast<unsigned>(atlasWidth(*atlas.atlas));
  if (decode.layout == ShaderLayout::Linear && std::has_single_bit(width)) {
    decode.lineShift = std::countr_zero(width);
  }
  decode.form = formOf(*atlas.atlas);
  decode.texels = texelsPerJoint(code);
  decode.ranged = rangesPerJoint(code);
  decode.isSigned = !isFloat(encodingInfo(code.encoding).format);
  decode.atOrigin = encodingInfo(code.encoding).atOrigin;
  decode.jointVectors = atlas.jointVectors;
  decode.rangePerClip = atlas.rangePerClip;
  return decode;
}

void define(const AtlasDecode& decode, std::vector<ShaderDefine>& defines) {
  const auto flag = [](bool on) { return std::string(on ? "1" : "0"); };
  defines.push_back({"CK_LAYOUT", std::to_string(static_cast<int>(decode.layout))});
  defines.push_back({"CK_LINE_SHIFT", std::to_string(decode.lineShift)});
  defines.push_back({"CK_FORM", std::to_string(static_cast<int>(decode.form))});
  defines.push_back({"CK_AT_ORIGIN", flag(decode.atOrigin)});
  defines.push_back({"CK_TEXELS", std::to_string(decode.texels)});
  defines.push_back({"CK_RANGED", std::to_string(decode.ranged)});
  defines.push_back({"CK_SIGNED", flag(decode.isSigned)});
  defines.push_back({"CK_JOINT_VECTORS", std::to_string(decode.jointVectors)});
  defines.push_back({"CK_RANGE_PER_CLIP", flag(decode.rangePerClip)});
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

#include "render/scene/atlas_gpu.h"

#include <epoxy/gl.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "core/atlas/local_poses.h"
#include "core/atlas/pose_codec.h"
#include "core/base/assert.h"
#include "render/gl/context.h"

namespace ck::render {
namespace {

struct GlFormat {
  GLint internal;
  GLenum layout;
  GLenum channel;
};

GlFormat glFormatOf(TexelFormat format) {
  switch (format) {
    case TexelFormat::Rgba16:
      return {GL_RGBA16, GL_RGBA, GL_UNSIGNED_SHORT};
    case TexelFormat::Rgba32F:
      return {GL_RGBA32F, GL_RGBA, GL_FLOAT};
    case TexelFormat::Rgba8:
      return {GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE};
    case TexelFormat::Rgba16F:
      return {GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT};
    case TexelFormat::Rgba32Ui:
      return {GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT};
    case TexelFormat::Rg32Ui:
      return {GL_RG32UI, GL_RG_INTEGER, GL_UNSIGNED_INT};
    case TexelFormat::Rgb10A2Ui:
      return {GL_RGB10_A2UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT_2_10_10_10_REV};
  }
  CK_ASSERT(false);
  return {};
}

// The texels of AtlasGpu::joints for one joint, with the ranges of `clip`. `track` as in
// tracksOf().
void addConstants(const Atlas& atlas, int clip, int joint, int track,
                  std::vector<glm::vec4>& constants) {
  const AtlasJoint& atlasJoint = atlas.joints[static_cast<std::size_t>(joint)];
  if (formOf(atlas) == PoseForm::Trs) {
    const glm::mat4 rows = glm::transpose(atlasJoint.inverseBind);
    for (int row = 0; row < 3; ++row) constants.push_back(rows[row]);
  }
  const int column = track < 0 ? -1 : trackColumn(atlas, track);
  constants.emplace_back(atlasJoint.pivot, static_cast<float>(column));
  for (const TexelRange& range : rangesFor(atlas, clip, joint)) {
    constants.push_back(range.low);
    constants.push_back(range.size);
  }
}

Result<GlHandle> uploadTexels(const Atlas& atlas) {
  const int width = atlasWidth(atlas);
  const int height = atlasHeight(atlas);
  GLint limit = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &limit);
  if (width > limit || height > limit) {
    return fail(ErrorCode::LimitExceeded,
                fmt::format("the atlas is {} x {} texels, and this graphics driver takes textures "
                            "up to {} x {}; bake with a smaller largest texture size",
                            width, height, limit, limit));
  }
  GlHandle texture = GlHandle::generate(GlKind::Texture);
  drainGlErrors();
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, texture.name());
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
  const GlFormat format = glFormatOf(encodingInfo(atlas.recipe).format);
  glTexImage2D(GL_TEXTURE_2D, 0, format.internal, width, height, 0, format.layout, format.channel,
               atlas.texels.data());
  glBindTexture(GL_TEXTURE_2D, 0);
  if (outOfGlMemory()) {
    return fail(ErrorCode::LimitExceeded,
                fmt::format("the graphics driver has no memory for the atlas ({} MB)",
                            atlas.texels.size() / 1000000));
  }
  return texture;
}

// CK_LAYOUT of atlas_joint.glsl.
enum class ShaderLayout { Column, Blocks, Linear };

ShaderLayout layoutOf(const AtlasGpu& atlas) {
  const gpu::CkAtlasShape& shape = atlas.atlas->shape;
  if (shape.extent.w == 1) return ShaderLayout::Linear;
  return atlas.frameCount <= shape.block.z ? ShaderLayout::Column : ShaderLayout::Blocks;
}

}  // namespace

Result<AtlasGpu> uploadAtlas(AtlasPtr atlas) {
  AtlasGpu gpu;
  auto texture = uploadTexels(*atlas);
  if (!texture) return tl::unexpected(texture.error());
  gpu.texture = std::move(*texture);
  gpu.rangePerClip = atlas->recipe.rangeMode == RangeMode::JointClip;
  const int rows = gpu.rangePerClip ? static_cast<int>(atlas->clips.size()) : 1;
  std::vector<glm::vec4> joints;
  const std::vector<int> tracks = tracksOf(*atlas);
  for (int clip = 0; clip < rows; ++clip) {
    for (int joint = 0; joint < static_cast<int>(atlas->joints.size()); ++joint) {
      addConstants(*atlas, clip, joint, tracks[static_cast<std::size_t>(joint)], joints);
    }
  }
  gpu.jointVectors = static_cast<int>(joints.size() / atlas->joints.size()) / rows;
  auto table = gpu.joints.upload(joints, BufferUse::Static, "the joints of the atlas");
  if (!table) return tl::unexpected(table.error());
  const std::vector<int> clips = clipOfFrames(*atlas);
  gpu.frameCount = static_cast<int>(clips.size());
  if (gpu.rangePerClip) {
    auto frames = gpu.frameClips.upload(clips, BufferUse::Static, "the frames of the atlas");
    if (!frames) return tl::unexpected(frames.error());
  }
  gpu.atlas = std::move(atlas);
  return gpu;
}

std::vector<ShaderDefine> decodeDefines(const AtlasGpu& atlas) {
  const TexelCode code = codeOf(*atlas.atlas);
  const ShaderLayout layout = layoutOf(atlas);
  const auto width = static_cast<unsigned>(atlasWidth(*atlas.atlas));
  const bool shifts = layout == ShaderLayout::Linear && std::has_single_bit(width);
  std::vector<ShaderDefine> defines = {
      {"CK_LAYOUT", static_cast<int>(layout)},
      {"CK_LINE_SHIFT", shifts ? std::countr_zero(width) : -1},
      {"CK_TEXELS", texelsPerJoint(code)},
      {"CK_RANGED", rangesPerJoint(code)},
      {"CK_JOINT_VECTORS", atlas.jointVectors},
      {"CK_RANGE_PER_CLIP", atlas.rangePerClip},
      {"CK_FORM_FILE", std::string(codecOf(encodingInfo(code.encoding)).shader)}};
  const auto pose = poseShader(code);
  for (const auto& [name, value] : pose.numbers) defines.emplace_back(std::string(name), value);
  for (const auto& [name, text] : pose.words) {
    defines.emplace_back(std::string(name), std::string(text));
  }
  return defines;
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

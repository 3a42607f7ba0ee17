#include "core/export/targets/crowd_shader.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "core/base/assert.h"
#include "core/export/targets/joint_table.h"
#include "core/export/targets/shader_resources.h"
#include "shaders/shaders.h"

namespace ck {
namespace {

std::string_view embedded(std::string_view path) {
  const auto text = shaderText(path);
  CK_ASSERT(text);
  return *text;
}

// The constants by which shaders/export selects lines.
std::vector<ShaderConstant> choices(const Atlas& atlas) {
  const EncodingInfo& encoding = encodingInfo(atlas.encoding);
  return {{"CK_FORM", static_cast<int>(encoding.form)},
          {"CK_TEXELS", texelsPerJoint(codeOf(atlas))},
          {"CK_AT_ORIGIN", encoding.atOrigin ? 1 : 0},
          {"CK_SIGNED", isFloat(encoding.format) ? 0 : 1},
          {"CK_INTERPOLATE", atlas.interpolate ? 1 : 0}};
}

struct NamedConstant {
  std::string_view name;
  int value;
  std::string_view meaning;
};

std::vector<NamedConstant> constantsOf(const Atlas& atlas) {
  const JointTable table = jointTable(atlas);
  const gpu::CkAtlasShape& shape = atlas.shape;
  const int joints = static_cast<int>(atlas.joints.size());
  return {
      {"CK_JOINT_COUNT", joints, "joints"},
      {"CK_CLIP_COUNT", static_cast<int>(atlas.clips.size()), "clips"},
      {"CK_INFLUENCES", atlas.influences, "joints per vertex that the atlas is meant for"},
      {"CK_ATLAS_WIDTH", shape.extent.x, "texels"},
      {"CK_ATLAS_HEIGHT", shape.extent.y, "texels"},
      {"CK_TEXELS_PER_JOINT", shape.block.x, "side by side"},
      {"CK_TEXELS_PER_FRAME", shape.block.y, "all joints"},
      {"CK_LINEAR", shape.extent.w, "1: one line of texels that is broken at the width"},
      {"CK_FRAMES_PER_BLOCK", std::max(shape.block.z, 1), "rows of a block"},
      {"CK_BLOCKS_PER_ROW", std::max(shape.block.w, 1), "blocks side by side"},
      {"CK_BLOCK_WIDTH", shape.extent.z, "texels"},
      {"CK_RANGES_PER_JOINT", rangesPerJoint(codeOf(atlas)),
       "the first texels of a joint have one"},
      {"CK_RANGE_SETS_PER_CLIP", atlas.rangeMode == RangeMode::JointClip ? joints : 0,
       "sets of ranges that a clip has for itself"},
      {"CK_RANGE_SETS_PER_JOINT", atlas.rangeMode == RangeMode::Atlas ? 0 : 1,
       "sets of ranges that a joint has for itself"},
      {"CK_TABLE_WIDTH", table.width, "of the joint table, texels"},
      {"CK_TABLE_HEIGHT", table.height, "of the joint table, texels"},
      {"CK_TABLE_RANGES", table.ranges, "texel of the joint table"},
      {"CK_TABLE_CLIPS", table.clips, "texel of the joint table"},
  };
}

std::string constantText(const Atlas& atlas, ShaderDialect dialect) {
  const std::string_view type = dialect == ShaderDialect::Hlsl   ? "static const int {} = {};"
                                : dialect == ShaderDialect::Wgsl ? "const {}: i32 = {};"
                                                                 : "const int {} = {};";
  std::string text;
  for (const NamedConstant& constant : constantsOf(atlas)) {
    text += fmt::format(fmt::runtime(type), constant.name, constant.value);
    text += fmt::format("  // {}\n", constant.meaning);
  }
  return text;
}

std::string title(const Atlas& atlas) {
  const EncodingInfo& encoding = encodingInfo(atlas.encoding);
  return fmt::format(
      "// Atlas: {} ({}), components {}, {} texels, layout {}, ranges per {}, {}.\n"
      "// Model space is right-handed, +Y up, metres; matrices multiply column vectors.\n",
      encoding.name, encoding.summary, componentsName(atlas.components),
      texelFormatName(encoding.format), layoutKindName(atlas.layout),
      rangeModeName(atlas.rangeMode),
      atlas.interpolate ? "interpolated between frames" : "nearest frame");
}

// The files of a part below shaders, in order.
std::vector<std::string_view> filesOf(CrowdShaderPart part) {
  switch (part) {
    case CrowdShaderPart::Common:
      return {"shared/atlas_address.glsl", "shared/playback.glsl",    "shared/quaternion.glsl",
              "shared/pose.glsl",          "shared/matrix_pose.glsl", "export/sum.glsl"};
    case CrowdShaderPart::Atlas:
      return {"export/stored.glsl", "export/moment.glsl", "export/reading.glsl",
              "export/relative.glsl"};
    case CrowdShaderPart::Actors:
      return {"export/actors.glsl"};
    case CrowdShaderPart::Palette:
      return {"export/palette.glsl"};
    case CrowdShaderPart::Fill:
      return {};
  }
  return {};
}

std::string partText(const Atlas& atlas, ShaderDialect dialect, CrowdShaderPart part) {
  std::string text;
  if (part == CrowdShaderPart::Common) {
    text += title(atlas);
    text += embedded("export/joint_table.glsl");
    text += constantText(atlas, dialect);
  }
  text += resourceText(part, dialect, texelFormatOf(atlas));
  for (const std::string_view file : filesOf(part)) {
    text += "\n" + inDialect(selectLines(embedded(file), choices(atlas)), dialect);
  }
  return text;
}

}  // namespace

std::string crowdShader(const Atlas& atlas, ShaderDialect dialect,
                        std::initializer_list<CrowdShaderPart> parts) {
  std::string text;
  for (const CrowdShaderPart part : parts) text += partText(atlas, dialect, part) + "\n";
  return text;
}

std::string fillVertexShader(ShaderDialect dialect) {
  return versionText(dialect) + std::string(embedded("export/fill_vertex.glsl"));
}

std::string fillShader(const Atlas& atlas, ShaderDialect dialect) {
  return versionText(dialect) + crowdShader(atlas, dialect,
                                            {CrowdShaderPart::Common, CrowdShaderPart::Atlas,
                                             CrowdShaderPart::Actors, CrowdShaderPart::Fill});
}

}  // namespace ck

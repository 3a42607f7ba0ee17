#include "core/export/targets/crowd_shader.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "core/atlas/pose_codec.h"
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

struct NamedConstant {
  std::string_view name;
  int value;
  std::string_view meaning;
};

std::vector<NamedConstant> constantsOf(const Atlas& atlas) {
  const JointTable table = jointTable(atlas);
  const gpu::CkAtlasShape& shape = atlas.shape;
  const int joints = static_cast<int>(atlas.joints.size());
  std::vector<NamedConstant> constants = {
      {"CK_JOINT_COUNT", joints, "joints"},
      {"CK_CLIP_COUNT", static_cast<int>(atlas.clips.size()), "clips"},
      {"CK_INFLUENCES", atlas.recipe.influences, "joints per vertex that the atlas is meant for"},
      {"CK_ATLAS_WIDTH", shape.extent.x, "texels"},
      {"CK_ATLAS_HEIGHT", shape.extent.y, "texels"},
      {"CK_TEXELS_PER_JOINT", shape.block.x, "side by side"},
      {"CK_TEXELS_PER_FRAME", shape.block.y, "all joints"},
      {"CK_LINEAR", shape.extent.w, "1: one line of texels that is broken at the width"},
      {"CK_FRAMES_PER_BLOCK", std::max(shape.block.z, 1), "rows of a block"},
      {"CK_BLOCKS_PER_ROW", std::max(shape.block.w, 1), "blocks side by side"},
      {"CK_BLOCK_WIDTH", shape.extent.z, "texels"},
      {"CK_RANGES_PER_JOINT", rangesPerJoint(codeOf(atlas)),
       "the first values of a joint have one"},
      {"CK_RANGE_SETS_PER_CLIP", atlas.recipe.rangeMode == RangeMode::JointClip ? joints : 0,
       "sets of ranges that a clip has for itself"},
      {"CK_RANGE_SETS_PER_JOINT", atlas.recipe.rangeMode == RangeMode::Atlas ? 0 : 1,
       "sets of ranges that a joint has for itself"},
      {"CK_TABLE_WIDTH", table.width, "of the joint table, texels"},
      {"CK_TABLE_HEIGHT", table.height, "of the joint table, texels"},
      {"CK_TABLE_RANGES", table.ranges, "texel of the joint table"},
      {"CK_TABLE_CLIPS", table.clips, "texel of the joint table"},
  };
  const EncodingInfo& encoding = encodingInfo(atlas.recipe);
  if (isLocal(encoding)) {
    constants.push_back({"CK_TABLE_TRACKS", table.tracks, "texel of the joint table"});
  }
  return constants;
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
  const EncodingInfo& encoding = encodingInfo(atlas.recipe);
  return fmt::format(
      "// Atlas: {} ({}),\n"
      "// components {}, {} texels, layout {}, ranges per {}, {}.\n"
      "// Model space is right-handed, +Y up, metres; matrices multiply column vectors.\n",
      encoding.name, encoding.summary, componentsName(*atlas.recipe.components),
      texelFormatName(encoding.format), layoutKindName(atlas.recipe.layout),
      rangeModeName(*atlas.recipe.rangeMode),
      atlas.recipe.interpolate ? "interpolated between frames" : "nearest frame");
}

// How the texture of the atlas is made from the raw file.
std::string uploadOf(const Atlas& atlas, ShaderDialect dialect) {
  const TexelFormat format = texelFormatOf(atlas);
  const std::string_view name = texelFormatName(format);
  if (isFloat(format)) return fmt::format("{} (floats as stored)", name);
  if (format == TexelFormat::Rgb10A2Ui) return "R32UI (words as stored)";
  if (isWords(format)) return fmt::format("{} (words as stored)", name);
  if (dialect == ShaderDialect::Wgsl) return fmt::format("{}UI (whole numbers as stored)", name);
  return fmt::format("{}UI (whole numbers as stored), or {} where CK_NORMALISED is defined", name,
                     name);
}

// The comment in front of a part.
std::string aboutPart(const Atlas& atlas, ShaderDialect dialect, CrowdShaderPart part) {
  const bool textures = hasPaletteTextures(dialect);
  switch (part) {
    case CrowdShaderPart::Common:
      return fmt::format(
                 "// Crowdkiln, part `common`: constants of one atlas and pure functions.\n{}",
                 title(atlas)) +
             std::string(embedded("export/joint_table.glsl"));
    case CrowdShaderPart::Atlas:
      return fmt::format(
          "// Crowdkiln, part `atlas`: poses from the atlas. Needs the part `common`, which "
          "describes "
          "the\n// joint table as well.\n"
          "//   ckAtlas  {} x {} texels, {};\n"
          "//            row 0 of NAME.atlas.raw (the top row of the picture) is row 0; no filter\n"
          "//   ckTable  the joint table, NAME.joints.raw, {} x {} texels, RGBA32F; no filter\n",
          atlasWidth(atlas), atlasHeight(atlas), uploadOf(atlas, dialect), jointTable(atlas).width,
          jointTable(atlas).height);
    case CrowdShaderPart::Actors:
      return "// Crowdkiln, part `actors`: what each actor shows. Needs the parts `common` and "
             "`atlas`.\n"
             "//   ckActors  RGBA32F, two texels per actor one after another, in rows of any "
             "width;\n"
             "//             no filter\n";
    case CrowdShaderPart::Palette:
      return std::string(
                 "// Crowdkiln, part `palette`: skin matrices from a palette that the "
                 "filling pass wrote.\n// Needs the part `common`.\n") +
             (textures ? "//   ckPaletteX, ckPaletteY, ckPaletteZ  the three targets of the pass, "
                         "RGBA32F; no filter\n"
                         "//   ckPalette                           instead of them where "
                         "CK_PALETTE_ONE is defined\n"
                       : "//   ckPalette  the buffer that the pass wrote\n");
    case CrowdShaderPart::Fill:
      return {};
  }
  return {};
}

using Words = std::vector<std::pair<std::string_view, std::string_view>>;

// A file below shaders, and the words that are written in place of some of its words.
struct ShaderFile {
  std::string_view path;
  Words words = {};
};

// The files of a part, in order.
std::vector<ShaderFile> filesOf(const Atlas& atlas, CrowdShaderPart part) {
  const EncodingInfo& encoding = encodingInfo(atlas.recipe);
  switch (part) {
    case CrowdShaderPart::Common: {
      std::vector<ShaderFile> files = {{"shared/atlas_address.glsl"},
                                       {"shared/playback.glsl"},
                                       {"shared/quaternion.glsl"},
                                       {"shared/pose.glsl"},
                                       {"export/sum.glsl"}};
      if (isPacked(encoding)) files.push_back({"shared/packed.glsl"});
      if (codecOf(encoding).shader != files[3].path) files.push_back({codecOf(encoding).shader});
      return files;
    }
    case CrowdShaderPart::Atlas:
      return {{"export/moment.glsl"},
              {"export/stored.glsl"},
              {"palette/relative.glsl"},
              {"export/reading.glsl"},
              {"export/influences.glsl",
               {{"ckSome", "ckDirect"}, {"CkSource", "CkMoment"}, {"source", "moment"}}}};
    case CrowdShaderPart::Actors:
      return {{"export/actors.glsl"}};
    case CrowdShaderPart::Palette:
      return {{"export/palette.glsl"},
              {"export/influences.glsl",
               {{"ckSome", "ckPalette"}, {"CkSource", "int"}, {"source", "actor"}}}};
    case CrowdShaderPart::Fill:
      return {};
  }
  return {};
}

std::string withWords(std::string text, const Words& words) {
  for (const auto& [word, instead] : words) {
    for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at)) {
      text.replace(at, word.size(), instead);
      at += instead.size();
    }
  }
  return text;
}

std::string partText(const Atlas& atlas, ShaderDialect dialect, CrowdShaderPart part) {
  std::string text = aboutPart(atlas, dialect, part);
  if (part == CrowdShaderPart::Common) text += constantText(atlas, dialect);
  text += resourceText(part, dialect, texelFormatOf(atlas));
  const PoseShader pose = poseShader(codeOf(atlas));
  std::vector<ShaderConstant> choices = {{"CK_INTERPOLATE", atlas.recipe.interpolate ? 1 : 0}};
  for (const auto& [name, value] : pose.numbers) choices.push_back({name, value});
  for (const ShaderFile& file : filesOf(atlas, part)) {
    const std::string selected = selectLines(embedded(file.path), choices);
    text += "\n" + inDialect(withWords(withWords(selected, file.words), pose.words), dialect);
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

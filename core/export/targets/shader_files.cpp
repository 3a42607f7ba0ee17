#include "core/export/targets/shader_files.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "core/export/targets/crowd_shader.h"
#include "core/export/targets/folder_texts.h"
#include "core/export/targets/joint_table.h"

namespace ck {
namespace {

struct PartFile {
  CrowdShaderPart part;
  std::string_view name;
};
constexpr PartFile kPartFiles[] = {{CrowdShaderPart::Common, "common"},
                                   {CrowdShaderPart::Atlas, "atlas"},
                                   {CrowdShaderPart::Actors, "actors"},
                                   {CrowdShaderPart::Palette, "palette"}};

std::string fillName(ShaderDialect dialect) {
  if (hasPaletteTextures(dialect)) return "fill.frag";
  if (isGlsl(dialect)) return "fill.comp";
  return fmt::format("fill.{}", shaderDialectInfo(dialect).ending);
}

void addDialect(const Atlas& atlas, const ShaderDialectInfo& info, const std::string& folder,
                std::vector<TargetFile>& files) {
  const std::string path = fmt::format("{}{}/", folder, info.name);
  for (const PartFile& file : kPartFiles) {
    files.push_back({fmt::format("{}{}.{}", path, file.name, info.ending),
                     bytesOf(crowdShader(atlas, info.dialect, {file.part}))});
  }
  files.push_back({path + fillName(info.dialect), bytesOf(fillShader(atlas, info.dialect))});
  if (hasPaletteTextures(info.dialect)) {
    files.push_back({path + "fill.vert", bytesOf(fillVertexShader(info.dialect))});
  }
}

// WebGL's words for the texture of the atlas.
struct WebGlFormat {
  std::string_view internal;
  std::string_view layout;
  std::string_view channel;
  std::string_view array;
};
WebGlFormat webGlFormat(TexelFormat format) {
  switch (format) {
    case TexelFormat::Rgba16:
      return {"RGBA16UI", "RGBA_INTEGER", "UNSIGNED_SHORT", "Uint16Array"};
    case TexelFormat::Rgba8:
      return {"RGBA8UI", "RGBA_INTEGER", "UNSIGNED_BYTE", "Uint8Array"};
    case TexelFormat::Rgba32F:
      return {"RGBA32F", "RGBA", "FLOAT", "Float32Array"};
    case TexelFormat::Rgba16F:
      return {"RGBA16F", "RGBA", "HALF_FLOAT", "Uint16Array"};
    case TexelFormat::Rgba32Ui:
      return {"RGBA32UI", "RGBA_INTEGER", "UNSIGNED_INT", "Uint32Array"};
    case TexelFormat::Rg32Ui:
      return {"RG32UI", "RG_INTEGER", "UNSIGNED_INT", "Uint32Array"};
    case TexelFormat::Rgb10A2Ui:
      return {"R32UI", "RED_INTEGER", "UNSIGNED_INT", "Uint32Array"};
  }
  return {};
}

TargetFile readme(const TargetInput& input) {
  const Atlas& atlas = input.atlas;
  const JointTable table = jointTable(atlas);
  const WebGlFormat format = webGlFormat(texelFormatOf(atlas));
  return copiedTexts(folderTexts("shaders", input,
                                 {{"width", std::to_string(atlasWidth(atlas))},
                                  {"height", std::to_string(atlasHeight(atlas))},
                                  {"internal", std::string(format.internal)},
                                  {"layout", std::string(format.layout)},
                                  {"channel", std::string(format.channel)},
                                  {"array", std::string(format.array)},
                                  {"tableWidth", std::to_string(table.width)},
                                  {"tableHeight", std::to_string(table.height)},
                                  {"joints", std::to_string(atlas.joints.size())}}),
                     {"README.md"})
      .front();
}

}  // namespace

Result<std::vector<TargetFile>> shaderFiles(const TargetInput& input, const JobContext&) {
  const std::string folder = input.name + ".shaders/";
  std::vector<TargetFile> files = {
      readme(input),
      {folder + input.name + ".joints.raw", jointTableBytes(jointTable(input.atlas))}};
  for (const ShaderDialectInfo& info : kShaderDialects) {
    addDialect(input.atlas, info, folder, files);
  }
  return files;
}

}  // namespace ck

#include "core/export/targets/shader_files.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "core/base/assert.h"
#include "core/export/targets/crowd_shader.h"
#include "core/export/targets/joint_table.h"
#include "shaders/shaders.h"

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

TargetFile textFile(std::string path, std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {std::move(path), {bytes.begin(), bytes.end()}};
}

std::string fillName(ShaderDialect dialect) {
  if (hasPaletteTextures(dialect)) return "fill.frag";
  if (isGlsl(dialect)) return "fill.comp";
  return fmt::format("fill.{}", shaderDialectInfo(dialect).ending);
}

void addDialect(const Atlas& atlas, const ShaderDialectInfo& info, const std::string& folder,
                std::vector<TargetFile>& files) {
  const std::string path = fmt::format("{}/{}/", folder, info.name);
  for (const PartFile& file : kPartFiles) {
    files.push_back(textFile(fmt::format("{}{}.{}", path, file.name, info.ending),
                             crowdShader(atlas, info.dialect, {file.part})));
  }
  files.push_back(textFile(path + fillName(info.dialect), fillShader(atlas, info.dialect)));
  if (hasPaletteTextures(info.dialect)) {
    files.push_back(textFile(path + "fill.vert", fillVertexShader(info.dialect)));
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
  }
  return {};
}

std::string readme(const TargetInput& input) {
  const auto text = shaderText("export/folder.md");
  CK_ASSERT(text);
  const Atlas& atlas = input.atlas;
  const JointTable table = jointTable(atlas);
  const WebGlFormat format = webGlFormat(texelFormatOf(atlas));
  std::string result(*text);
  const std::pair<std::string_view, std::string> words[] = {
      {"@NAME@", input.name},
      {"@WIDTH@", std::to_string(atlasWidth(atlas))},
      {"@HEIGHT@", std::to_string(atlasHeight(atlas))},
      {"@INTERNAL@", std::string(format.internal)},
      {"@LAYOUT@", std::string(format.layout)},
      {"@CHANNEL@", std::string(format.channel)},
      {"@ARRAY@", std::string(format.array)},
      {"@TABLE_WIDTH@", std::to_string(table.width)},
      {"@TABLE_HEIGHT@", std::to_string(table.height)},
      {"@JOINTS@", std::to_string(atlas.joints.size())},
  };
  for (const auto& [word, value] : words) {
    for (std::size_t at = result.find(word); at != std::string::npos; at = result.find(word, at)) {
      result.replace(at, word.size(), value);
      at += value.size();
    }
  }
  return result;
}

}  // namespace

Result<std::vector<TargetFile>> shaderFiles(const TargetInput& input, const JobContext&) {
  const std::string folder = input.name + ".shaders";
  std::vector<TargetFile> files;
  files.push_back(textFile(folder + "/README.md", readme(input)));
  files.push_back({fmt::format("{}/{}.joints.raw", folder, input.name),
                   jointTableBytes(jointTable(input.atlas))});
  for (const ShaderDialectInfo& info : kShaderDialects) {
    addDialect(input.atlas, info, folder, files);
  }
  return files;
}

}  // namespace ck

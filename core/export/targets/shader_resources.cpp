#include "core/export/targets/shader_resources.h"

#include <fmt/format.h>

#include <string_view>

#include "core/base/assert.h"
#include "shaders/shaders.h"

namespace ck {
namespace {

std::string_view embedded(std::string_view path) {
  const auto text = shaderText(path);
  CK_ASSERT(text);
  return *text;
}

std::string sampler(ShaderDialect dialect, std::string_view type, std::string_view name,
                    int binding) {
  const std::string place =
      dialect == ShaderDialect::Glsl450 ? fmt::format("CK_BINDING({}) ", binding) : std::string();
  return fmt::format("{}uniform highp {} {};\n", place, type, name);
}

std::string glslAtlas(ShaderDialect dialect, TexelFormat format) {
  const std::string normalised =
      sampler(dialect, "sampler2D", "ckAtlas", 0) +
      "vec4 ckAtlasTexel(ivec2 at) { return texelFetch(ckAtlas, at, 0); }\n";
  std::string text;
  if (isFloat(format)) {
    text = normalised;
  } else if (isWords(format)) {
    text =
        sampler(dialect, "usampler2D", "ckAtlas", 0) +
        (format == TexelFormat::Rgb10A2Ui
             ? "ivec4 ckAtlasWords(ivec2 at) {\n"
               "  uint word = texelFetch(ckAtlas, at, 0).x;\n"
               "  return ivec4(word & 1023u, (word >> 10) & 1023u, (word >> 20) & 1023u, word >> "
               "30);\n}\n"
             : "ivec4 ckAtlasWords(ivec2 at) { return ivec4(texelFetch(ckAtlas, at, 0)); }\n");
  } else {
    text = "#ifdef CK_NORMALISED\n" + normalised + "#else\n" +
           sampler(dialect, "usampler2D", "ckAtlas", 0) +
           fmt::format(
               "vec4 ckAtlasTexel(ivec2 at) {{\n"
               "  return vec4(texelFetch(ckAtlas, at, 0)) / {:.1f};\n}}\n#endif\n",
               texelFormatInfo(format).top);
  }
  return text + sampler(dialect, "sampler2D", "ckTable", 1) +
         "vec4 ckTableTexel(int i) {\n"
         "  return texelFetch(ckTable, ivec2(i % CK_TABLE_WIDTH, i / CK_TABLE_WIDTH), 0);\n}\n";
}

std::string glslResources(CrowdShaderPart part, ShaderDialect dialect, TexelFormat format) {
  const bool buffers = !hasPaletteTextures(dialect);
  switch (part) {
    case CrowdShaderPart::Common:
      return buffers ? "#ifndef CK_BINDING\n#define CK_BINDING(n) layout(binding = n)\n#endif\n"
                     : "";
    case CrowdShaderPart::Atlas:
      return glslAtlas(dialect, format);
    case CrowdShaderPart::Actors:
      return sampler(dialect, "sampler2D", "ckActors", 2) +
             "vec4 ckActorTexel(int i) {\n"
             "  int width = textureSize(ckActors, 0).x;\n"
             "  return texelFetch(ckActors, ivec2(i % width, i / width), 0);\n}\n";
    case CrowdShaderPart::Palette:
      return std::string(
          embedded(buffers ? "export/palette_buffer.glsl" : "export/palette_textures.glsl"));
    case CrowdShaderPart::Fill:
      return std::string(
          embedded(buffers ? "export/fill_compute.glsl" : "export/fill_targets.glsl"));
  }
  return {};
}

std::string hlslResources(CrowdShaderPart part, TexelFormat format) {
  const auto texture = [](std::string_view type, std::string_view name, int place) {
    return fmt::format("Texture2D<{}> {} : CK_REGISTER(t{});\n", type, name, place);
  };
  switch (part) {
    case CrowdShaderPart::Common:
      return "#ifndef CK_REGISTER\n#define CK_REGISTER(r) register(r)\n#endif\n";
    case CrowdShaderPart::Atlas: {
      const std::string floats =
          texture("float4", "ckAtlas", 0) +
          "float4 ckAtlasTexel(int2 at) { return ckAtlas.Load(int3(at, 0)); }\n";
      const std::string integers =
          "#ifdef CK_NORMALISED\n" + floats + "#else\n" + texture("uint4", "ckAtlas", 0) +
          fmt::format(
              "float4 ckAtlasTexel(int2 at) {{\n"
              "  return float4(ckAtlas.Load(int3(at, 0))) / {:.1f}f;\n}}\n#endif\n",
              texelFormatInfo(format).top);
      const std::string words =
          texture("uint4", "ckAtlas", 0) +
          (format == TexelFormat::Rgb10A2Ui
               ? "int4 ckAtlasWords(int2 at) {\n"
                 "  uint word = ckAtlas.Load(int3(at, 0)).x;\n"
                 "  return int4(word & 1023, (word >> 10) & 1023, (word >> 20) & 1023, word >> "
                 "30);\n"
                 "}\n"
               : "int4 ckAtlasWords(int2 at) { return asint(ckAtlas.Load(int3(at, 0))); }\n");
      return (isFloat(format)   ? floats
              : isWords(format) ? words
                                : integers) +
             texture("float4", "ckTable", 1) +
             "float4 ckTableTexel(int i) {\n"
             "  return ckTable.Load(int3(i % CK_TABLE_WIDTH, i / CK_TABLE_WIDTH, 0));\n}\n";
    }
    case CrowdShaderPart::Actors:
      return texture("float4", "ckActors", 2) +
             "float4 ckActorTexel(int i) {\n"
             "  uint width;\n  uint height;\n  ckActors.GetDimensions(width, height);\n"
             "  return ckActors.Load(int3(i % int(width), i / int(width), 0));\n}\n";
    case CrowdShaderPart::Palette:
      return std::string(embedded("export/palette_buffer.hlsl"));
    case CrowdShaderPart::Fill:
      return std::string(embedded("export/fill_compute.hlsl"));
  }
  return {};
}

std::string wgslAtlas(TexelFormat format) {
  if (isFloat(format)) {
    return "fn ckAtlasTexel(at: vec2<i32>) -> vec4<f32> {\n"
           "  return textureLoad(ckAtlas, at, 0);\n}\n";
  }
  if (format == TexelFormat::Rgb10A2Ui) {
    return "fn ckAtlasWords(at: vec2<i32>) -> vec4<i32> {\n"
           "  let word: u32 = textureLoad(ckAtlas, at, 0).x;\n"
           "  return vec4<i32>(vec4<u32>(word & 1023u, (word >> 10u) & 1023u, (word >> 20u) & "
           "1023u, word >> 30u));\n}\n";
  }
  if (isWords(format)) {
    return "fn ckAtlasWords(at: vec2<i32>) -> vec4<i32> {\n"
           "  return vec4<i32>(textureLoad(ckAtlas, at, 0));\n}\n";
  }
  return fmt::format(
      "fn ckAtlasTexel(at: vec2<i32>) -> vec4<f32> {{\n"
      "  return vec4<f32>(textureLoad(ckAtlas, at, 0)) / {:.1f};\n}}\n",
      texelFormatInfo(format).top);
}

std::string wgslResources(CrowdShaderPart part, TexelFormat format) {
  const auto texture = [](std::string_view type, std::string_view name, int place) {
    return fmt::format("@group(0) @binding({}) var {}: texture_2d<{}>;\n", place, name, type);
  };
  switch (part) {
    case CrowdShaderPart::Common:
      return {};
    case CrowdShaderPart::Atlas:
      return texture(isFloat(format) ? "f32" : "u32", "ckAtlas", 0) + wgslAtlas(format) +
             texture("f32", "ckTable", 1) +
             "fn ckTableTexel(i: i32) -> vec4<f32> {\n"
             "  return textureLoad(ckTable, vec2<i32>(i % CK_TABLE_WIDTH, i / CK_TABLE_WIDTH), "
             "0);\n"
             "}\n";
    case CrowdShaderPart::Actors:
      return texture("f32", "ckActors", 2) +
             "fn ckActorTexel(i: i32) -> vec4<f32> {\n"
             "  let width = i32(textureDimensions(ckActors).x);\n"
             "  return textureLoad(ckActors, vec2<i32>(i % width, i / width), 0);\n}\n";
    case CrowdShaderPart::Palette:
      return std::string(embedded("export/palette_buffer.wgsl"));
    case CrowdShaderPart::Fill:
      return std::string(embedded("export/fill_compute.wgsl"));
  }
  return {};
}

}  // namespace

std::string resourceText(CrowdShaderPart part, ShaderDialect dialect, TexelFormat format) {
  if (dialect == ShaderDialect::Hlsl) return hlslResources(part, format);
  if (dialect == ShaderDialect::Wgsl) return wgslResources(part, format);
  return glslResources(part, dialect, format);
}

std::string versionText(ShaderDialect dialect) {
  switch (dialect) {
    case ShaderDialect::Glsl330:
      return "#version 330 core\n";
    case ShaderDialect::Glsl450:
      return "#version 450 core\n";
    case ShaderDialect::GlslEs300:
      return "#version 300 es\nprecision highp float;\nprecision highp int;\n";
    case ShaderDialect::Hlsl:
    case ShaderDialect::Wgsl:
      return {};
  }
  return {};
}

}  // namespace ck

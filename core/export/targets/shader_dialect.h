#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ck {

// A language of shaders that exports are written in.
enum class ShaderDialect { Glsl330, Glsl450, GlslEs300, Hlsl, Wgsl };

struct ShaderDialectInfo {
  ShaderDialect dialect;
  std::string_view name;    // of its folder: "es300"
  std::string_view ending;  // of files that others include: "glsl"
  std::string_view title;   // "GLSL ES 3.00 (WebGL 2)"
};

// Indexed by ShaderDialect.
inline constexpr ShaderDialectInfo kShaderDialects[] = {
    {ShaderDialect::Glsl330, "glsl330", "glsl", "GLSL 3.30 (OpenGL 3.3)"},
    {ShaderDialect::Glsl450, "glsl450", "glsl", "GLSL 4.50 (OpenGL 4.5, Vulkan)"},
    {ShaderDialect::GlslEs300, "es300", "glsl", "GLSL ES 3.00 (WebGL 2)"},
    {ShaderDialect::Hlsl, "hlsl", "hlsl", "HLSL (shader model 5 and up)"},
    {ShaderDialect::Wgsl, "wgsl", "wgsl", "WGSL (WebGPU)"},
};
constexpr const ShaderDialectInfo& shaderDialectInfo(ShaderDialect dialect) {
  return kShaderDialects[static_cast<std::size_t>(dialect)];
}
constexpr bool isGlsl(ShaderDialect dialect) {
  return dialect < ShaderDialect::Hlsl;
}

// Whether palettes are filled by a fragment shader and are textures; else by a compute shader, and
// they are buffers.
constexpr bool hasPaletteTextures(ShaderDialect dialect) {
  return dialect == ShaderDialect::Glsl330 || dialect == ShaderDialect::GlslEs300;
}

// A whole number that shader text may ask for.
struct ShaderConstant {
  std::string_view name;  // "CK_FORM"
  int value = 0;
};

// Keeps the lines that `#if NAME == NUMBER`, `#else` and `#endif` select for `constants`. Other
// lines stay as they are. Every name must be among the constants.
std::string selectLines(std::string_view text, std::span<const ShaderConstant> constants);

// Text in the subset of shaders/shared and shaders/export, with its comments, in a dialect.
std::string inDialect(std::string_view text, ShaderDialect dialect);

}  // namespace ck

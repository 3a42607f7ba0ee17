#pragma once

#include <compare>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace ck::render {

// One `#define name value`.
struct ShaderDefine {
  std::string name;
  std::string value;

  ShaderDefine(std::string name, std::string value)
      : name(std::move(name)), value(std::move(value)) {}
  ShaderDefine(std::string name, int value)  // flags are 0 or 1
      : ShaderDefine(std::move(name), std::to_string(value)) {}
  auto operator<=>(const ShaderDefine&) const = default;
};

// Hands out the text of a file by its path below shaders/, or nothing.
using ShaderLoad = std::function<std::optional<std::string>(std::string_view path)>;

// The texts that are built into the program.
ShaderLoad embeddedShaders();

// A shader ready for the driver. `files[n]` is the file that #line calls n; the first is the
// shader itself.
struct ShaderSource {
  std::string text;
  std::vector<std::string> files;
};

// Reads `path` and puts every `#include "file"` in its place, each file once; `#include NAME` takes
// the file that the define of that name has for a value. The defines, and an
// empty CK_FN for the shared text, follow the #version line; #line keeps the driver's messages
// pointing at the files. Fails with Internal where a file is missing or there is no #version first.
Result<ShaderSource> expandShader(std::string_view path, std::span<const ShaderDefine> defines,
                                  const ShaderLoad& load);

// A driver's messages ("1:4(2): error" or "1(4) : error") with the numbers of files turned into
// their names: "shared/b.glsl:4(2): error".
std::string nameShaderFiles(std::string_view messages, std::span<const std::string> files);

}  // namespace ck::render

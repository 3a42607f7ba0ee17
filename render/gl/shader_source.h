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
  // clang-tidy 14 takes the zero that comparisons of strings are compared with for a pointer.
  auto operator<=>(const ShaderDefine&) const = default;  // NOLINT(modernize-use-nullptr)
};

// Returns the text of a file below shaders/, or nothing if it does not exist.
using ShaderLoad = std::function<std::optional<std::string>(std::string_view path)>;

// Loads from the files that are embedded in the executable.
ShaderLoad embeddedShaders();

// A complete shader text. `files[n]` is the name of the file that #line calls n; files[0] is the
// shader itself.
struct ShaderSource {
  std::string text;
  std::vector<std::string> files;
};

// Reads `path` and replaces every `#include "file"` by the file's text, each file once. `#include
// NAME` includes the file that the define NAME has as its value. After the #version line it inserts
// the defines and an empty CK_FN for shared code. #line directives let the driver's messages refer
// to the files. Fails with Internal if a file is missing or #version is not the first line.
Result<ShaderSource> expandShader(std::string_view path, std::span<const ShaderDefine> defines,
                                  const ShaderLoad& load);

// Replaces file numbers in a driver's messages ("1:4(2): error" or "1(4) : error") by names:
// "shared/b.glsl:4(2): error".
std::string nameShaderFiles(std::string_view messages, std::span<const std::string> files);

}  // namespace ck::render

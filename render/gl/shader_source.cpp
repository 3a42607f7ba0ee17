#include "render/gl/shader_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "shaders/shaders.h"

namespace ck::render {
namespace {

// The quoted path of an #include line; nothing for other lines.
std::optional<std::string> includedPath(std::string_view line) {
  constexpr std::string_view kWord = "#include";
  const std::size_t start = line.find_first_not_of(" \t");
  if (start == std::string_view::npos || line.substr(start, kWord.size()) != kWord) return {};
  const std::size_t open = line.find('"', start);
  const std::size_t close = open == std::string_view::npos ? open : line.find('"', open + 1);
  if (close == std::string_view::npos) return std::string();
  return std::string(line.substr(open + 1, close - open - 1));
}

class Expansion {
 public:
  Expansion(std::span<const ShaderDefine> defines, const ShaderLoad& load)
      : defines_(defines), load_(load) {}

  Result<void> add(std::string_view path) {
    const std::optional<std::string> text = load_(path);
    if (!text) {
      return fail(ErrorCode::Internal, fmt::format("the shader file '{}' is missing", path));
    }
    const std::size_t number = source_.files.size();
    source_.files.emplace_back(path);
    if (number > 0) lineMark(1, number);
    std::size_t lineNumber = 0;
    for (std::size_t at = 0; at < text->size();) {
      const std::size_t end = std::min(text->find('\n', at), text->size());
      const std::string_view line = std::string_view(*text).substr(at, end - at);
      at = end + 1;
      ++lineNumber;
      if (auto added = addLine(line, number, lineNumber); !added) return added;
    }
    return {};
  }

  ShaderSource take() { return std::move(source_); }

 private:
  void lineMark(std::size_t line, std::size_t file) {
    source_.text += fmt::format("#line {} {}\n", line, file);
  }

  Result<void> addLine(std::string_view line, std::size_t file, std::size_t lineNumber) {
    if (file == 0 && lineNumber == 1) {
      if (!line.starts_with("#version")) {
        return fail(ErrorCode::Internal, fmt::format("the shader file '{}' does not start with "
                                                     "#version",
                                                     source_.files[0]));
      }
      source_.text += fmt::format("{}\n#define CK_FN\n", line);
      for (const ShaderDefine& define : defines_) {
        source_.text += fmt::format("#define {} {}\n", define.name, define.value);
      }
      lineMark(2, 0);
      return {};
    }
    const std::optional<std::string> path = includedPath(line);
    if (!path) {
      source_.text += fmt::format("{}\n", line);
      return {};
    }
    if (std::find(source_.files.begin(), source_.files.end(), *path) == source_.files.end()) {
      if (auto added = add(*path); !added) return added;
    }
    lineMark(lineNumber + 1, file);
    return {};
  }

  std::span<const ShaderDefine> defines_;
  const ShaderLoad& load_;
  ShaderSource source_;
};

}  // namespace

ShaderLoad embeddedShaders() {
  return [](std::string_view path) -> std::optional<std::string> {
    const std::optional<std::string_view> text = shaderText(path);
    if (!text) return std::nullopt;
    return std::string(*text);
  };
}

Result<ShaderSource> expandShader(std::string_view path, std::span<const ShaderDefine> defines,
                                  const ShaderLoad& load) {
  Expansion expansion(defines, load);
  if (auto added = expansion.add(path); !added) return tl::unexpected(added.error());
  return expansion.take();
}

std::string nameShaderFiles(std::string_view messages, std::span<const std::string> files) {
  std::string named;
  for (std::size_t at = 0; at < messages.size();) {
    const std::size_t end = std::min(messages.find('\n', at), messages.size());
    const std::string_view line = messages.substr(at, end - at);
    at = end + 1;
    std::size_t file = 0;
    const auto [rest, error] = std::from_chars(line.data(), line.data() + line.size(), file);
    const bool marked = error == std::errc() && rest != line.data() + line.size() &&
                        (*rest == ':' || *rest == '(') && file < files.size();
    if (marked) {
      named += files[file];
      named += line.substr(static_cast<std::size_t>(rest - line.data()));
    } else {
      named += line;
    }
    named += '\n';
  }
  return named;
}

}  // namespace ck::render

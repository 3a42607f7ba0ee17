# Writes OUTPUT, a C++ file with the text of every file in FILES (see embed_shaders.cmake). Texts
# are cut into pieces because compilers limit the length of one literal.
set(entries "")
foreach(file IN LISTS FILES)
  file(READ ${file} text)
  file(RELATIVE_PATH name ${ROOT} ${file})
  string(LENGTH "${text}" length)
  if(length GREATER 14000)
    message(FATAL_ERROR "${name} is ${length} bytes long; split it")
  endif()
  string(APPEND entries "  {\"${name}\", R\"ckshader(${text})ckshader\"},\n")
endforeach()
file(WRITE ${OUTPUT} "#include \"shaders/shaders.h\"

#include <array>
#include <utility>

namespace ck {
namespace {
constexpr std::pair<std::string_view, std::string_view> kTexts[] = {
${entries}};
}  // namespace

std::optional<std::string_view> shaderText(std::string_view path) {
  for (const auto& [name, text] : kTexts) {
    if (name == path) return text;
  }
  return std::nullopt;
}

}  // namespace ck
")

# Writes OUTPUT, a C++ file whose FUNCTION, declared in HEADER, returns the text of every file in FILES
# (see embed_texts.cmake). Texts are cut into pieces because compilers limit the length of one literal.
set(piece 12000)
set(entries "")
foreach(file IN LISTS FILES)
  file(READ ${file} text)
  file(RELATIVE_PATH name ${ROOT} ${file})
  string(LENGTH "${text}" length)
  set(literals "")
  set(begin 0)
  while(begin LESS length)
    string(SUBSTRING "${text}" ${begin} ${piece} part)
    string(APPEND literals " R\"cktext(${part})cktext\"")
    math(EXPR begin "${begin} + ${piece}")
  endwhile()
  string(APPEND entries "  {\"${name}\",${literals}},\n")
endforeach()
file(WRITE ${OUTPUT} "#include \"${HEADER}\"

#include <utility>

namespace ck {
namespace {
constexpr std::pair<std::string_view, std::string_view> kTexts[] = {
${entries}};
}  // namespace

std::optional<std::string_view> ${FUNCTION}(std::string_view path) {
  for (const auto& [name, text] : kTexts) {
    if (name == path) return text;
  }
  return std::nullopt;
}

}  // namespace ck
")

#include "core/export/targets/wgsl_text.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "core/base/assert.h"
#include "core/export/targets/shader_tokens.h"

namespace ck {
namespace {

using Tokens = std::span<const ShaderToken>;

constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kWords = {{
    {"float", "f32"},
    {"int", "i32"},
    {"vec2", "vec2<f32>"},
    {"vec3", "vec3<f32>"},
    {"vec4", "vec4<f32>"},
    {"ivec2", "vec2<i32>"},
    {"ivec4", "vec4<i32>"},
    {"roundEven", "round"},
}};

std::string_view wordOf(std::string_view word) {
  const auto found = std::ranges::find(kWords, word, &decltype(kWords)::value_type::first);
  return found == kWords.end() ? word : found->second;
}

bool isType(std::string_view word) {
  return word.starts_with("Ck") || (wordOf(word) != word && word != "roundEven");
}

bool assigns(std::string_view word) {
  constexpr std::array<std::string_view, 5> kAssignments = {"=", "+=", "-=", "*=", "/="};
  return std::ranges::find(kAssignments, word) != kAssignments.end();
}

// The bracket that closes the one at `open`.
std::size_t closing(Tokens tokens, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    const std::string_view text = tokens[i].text;
    if (text == "(" || text == "[" || text == "{") ++depth;
    if ((text == ")" || text == "]" || text == "}") && --depth == 0) return i;
  }
  CK_ASSERT(false);
  return tokens.size();
}

// The first of `words` outside brackets, or the number of tokens.
std::size_t outside(Tokens tokens, std::string_view word) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].text == word) return i;
    if (tokens[i].text == "(" || tokens[i].text == "[") i = closing(tokens, i);
  }
  return tokens.size();
}

std::string expression(Tokens tokens);

// Expressions between commas.
std::string arguments(Tokens tokens) {
  std::string text;
  while (!tokens.empty()) {
    const std::size_t comma = outside(tokens, ",");
    text += expression(tokens.first(comma));
    if (comma == tokens.size()) break;
    text += ",";
    tokens = tokens.subspan(comma + 1);
  }
  return text;
}

// WGSL has select(ifFalse, ifTrue, condition) instead of `?`.
std::string expression(Tokens tokens) {
  if (tokens.empty()) return {};
  const std::size_t question = outside(tokens, "?");
  if (question < tokens.size()) {
    const std::size_t colon = outside(tokens, ":");
    std::string condition = expression(tokens.first(question));
    const std::string_view before = tokens.front().before;
    condition.erase(0, before.size());
    std::string yes = expression(tokens.subspan(question + 1, colon - question - 1));
    std::string no = expression(tokens.subspan(colon + 1));
    no.erase(0, no.find_first_not_of(" \n"));
    return std::string(before) + "select(" + no + "," + yes + ", " + condition + ")";
  }
  std::string text;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    text += tokens[i].before;
    text += wordOf(tokens[i].text);
    if (tokens[i].text == "(" || tokens[i].text == "[") {
      const std::size_t end = closing(tokens, i);
      text += arguments(tokens.subspan(i + 1, end - i - 1));
      text += tokens[end].before;
      text += tokens[end].text;
      i = end;
    }
  }
  return text;
}

// Reads one statement after another.
class Body {
 public:
  explicit Body(Tokens tokens) : tokens_(tokens) {}

  std::string all() {
    std::string text;
    while (at_ < tokens_.size()) text += statement();
    return text;
  }

 private:
  Tokens rest() const { return tokens_.subspan(at_); }
  std::string_view word(std::size_t ahead = 0) const { return tokens_[at_ + ahead].text; }

  // The next token, as it is.
  std::string taken() {
    const ShaderToken& token = tokens_[at_++];
    return std::string(token.before) + std::string(token.text);
  }
  // `expression;`, `= expression;`, `place += expression;` or `return expression;`
  std::string upToSemicolon() {
    const Tokens tokens = rest().first(outside(rest(), ";"));
    const auto isStart = [](const ShaderToken& token) {
      return token.text == "return" || assigns(token.text);
    };
    const auto start = std::ranges::find_if(tokens, isStart);
    const auto place =
        start == tokens.end() ? 0 : static_cast<std::size_t>(start - tokens.begin()) + 1;
    std::string text = expression(tokens.first(place));
    if (place < tokens.size()) text += expression(tokens.subspan(place));
    at_ += tokens.size();
    return text + taken();
  }
  // The tokens between brackets; the next token is behind them.
  Tokens bracketed() {
    const std::size_t end = closing(tokens_, at_);
    const Tokens inner = tokens_.subspan(at_ + 1, end - at_ - 1);
    at_ = end;
    return inner;
  }

  // The declaration of a variable: `type name` to `name: type`.
  std::string declaration() {
    const ShaderToken& type = tokens_[at_++];
    const ShaderToken& name = tokens_[at_++];
    return std::string(type.before) + "var " + std::string(name.text) + ": " +
           std::string(wordOf(type.text));
  }

  // Every body of `if` and loops has braces in WGSL.
  std::string inBraces() {
    if (word() == "{") return statement();
    return " {" + statement() + " }";
  }

  std::string forLoop() {
    std::string text = taken();  // for
    text += taken();             // (
    text += declaration();
    text += upToSemicolon();
    text += upToSemicolon();
    // ++i
    CK_ASSERT(word() == "++");
    text += " " + std::string(word(1)) + "++";
    at_ += 2;
    text += taken();
    return text + inBraces();
  }

  std::string statement() {
    if (word() == "{") {
      std::string text = std::string(tokens_[at_].before) + "{";
      text += Body(bracketed()).all();
      return text + taken();
    }
    if (word() == "for") return forLoop();
    if (word() == "if" || word() == "while") {
      std::string text = taken();
      text += std::string(tokens_[at_].before) + "(";
      text += expression(bracketed());
      text += taken();
      text += inBraces();
      if (at_ < tokens_.size() && word() == "else") {
        text += taken();
        text += inBraces();
      }
      return text;
    }
    std::string text;
    if (isType(word()) && word(1) != "(") text += declaration();
    return text + upToSemicolon();
  }

  Tokens tokens_;
  std::size_t at_ = 0;
};

// Whether a function assigns to its parameter or a component of it.
bool changes(Tokens body, std::string_view parameter) {
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (body[i].text != parameter || (i > 0 && body[i - 1].text == ".")) continue;
    std::size_t next = i + 1;
    while (next + 1 < body.size() && body[next].text == ".") next += 2;
    if (next < body.size() && assigns(body[next].text)) return true;
  }
  return false;
}

// `type name, type name` to `name: type, name: type`. Parameters cannot change in WGSL: one that
// does gets another name, and `copies` a variable of the old one.
std::string parameters(Tokens tokens, Tokens body, std::string& copies) {
  std::string text;
  for (std::size_t i = 0; i + 1 < tokens.size(); i += 3) {
    const std::string name(tokens[i + 1].text);
    const bool changed = changes(body, name);
    if (i > 0) text += ",";
    text += std::string(tokens[i].before) + name + (changed ? "_in" : "") + ": " +
            std::string(wordOf(tokens[i].text));
    if (changed) copies += "\n  var " + name + " = " + name + "_in;";
  }
  return text;
}

// `CK_FN type name(...) {...}`, which starts at `at`. Moves `at` behind it.
std::string function(Tokens tokens, std::size_t& at) {
  const std::string before(tokens[at].before);
  const std::string_view type = wordOf(tokens[at + 1].text);
  const std::string name(tokens[at + 2].text);
  const std::size_t open = at + 3;
  const std::size_t close = closing(tokens, open);
  const std::size_t start = close + 1;
  const std::size_t end = closing(tokens, start);
  const Tokens body = tokens.subspan(start + 1, end - start - 1);
  std::string copies;
  std::string text = before + "fn " + name + "(";
  text += parameters(tokens.subspan(open + 1, close - open - 1), body, copies);
  text += ") -> " + std::string(type) + " {" + copies;
  text += Body(body).all();
  text += std::string(tokens[end].before) + "}";
  at = end + 1;
  return text;
}

// `struct Name {type name; ...};`, which starts at `at`. Moves `at` behind it.
std::string structure(Tokens tokens, std::size_t& at) {
  std::string text = std::string(tokens[at].before) + "struct " + std::string(tokens[at + 1].text);
  const std::size_t end = closing(tokens, at + 2);
  text += " {";
  for (std::size_t i = at + 3; i < end; i += 3) {
    text += std::string(tokens[i].before) + std::string(tokens[i + 1].text) + ": " +
            std::string(wordOf(tokens[i].text)) + ",";
  }
  text += std::string(tokens[end].before) + "}";
  at = end + 2;
  return text;
}

}  // namespace

std::string wgslText(std::string_view text) {
  const std::vector<ShaderToken> tokens = shaderTokens(text);
  std::string result;
  std::size_t at = 0;
  while (!tokens[at].text.empty()) {
    if (tokens[at].text == "struct") {
      result += structure(tokens, at);
    } else {
      CK_ASSERT(tokens[at].text == "CK_FN");
      result += function(tokens, at);
    }
  }
  return result + std::string(tokens[at].before);
}

}  // namespace ck

#include "ui/parts/actor_expression.h"

#include <charconv>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "core/crowd/crowd_spawn.h"

namespace ck::ui {
namespace {

using Read = Result<ActorFormula>;

ActorFormula combine(char op, ActorFormula a, ActorFormula b) {
  return [op, a = std::move(a), b = std::move(b)](const ActorValue& actor) {
    const double left = a(actor);
    const double right = b(actor);
    switch (op) {
      case '+':
        return left + right;
      case '-':
        return left - right;
      case '*':
        return left * right;
      default:
        return right == 0.0 ? left : left / right;
    }
  };
}

// A recursive descent parser of sums, products and primaries.
class Reader {
 public:
  Reader(std::string text, std::uint64_t seed, int stream)
      : text_(std::move(text)), seed_(seed), stream_(std::uint64_t(stream)) {}

  Read all() {
    Read formula = change();
    if (formula && peek() != '\0') {
      return fail(ErrorCode::InvalidInput,
                  fmt::format("'{}' is not understood", text_.substr(at_)));
    }
    return formula;
  }

 private:
  static constexpr int kDeepest = 32;

  Read change() {
    const ActorFormula present = [](const ActorValue& actor) { return actor.value; };
    const char op = peek();
    const bool operation = op == '+' || op == '-' || op == '*' || op == '/';
    if (operation && at_ + 1 < text_.size() && text_[at_ + 1] == '=') {
      at_ += 2;
      Read right = sum();
      return right ? Read(combine(op, present, *right)) : right;
    }
    if (op == '*' || op == '/') {
      ++at_;
      Read right = sum();
      return right ? Read(combine(op, present, *right)) : right;
    }
    return sum();
  }

  Read sum() {
    Read left = product();
    while (left && (peek() == '+' || peek() == '-')) {
      const char op = text_[at_++];
      Read right = product();
      if (!right) return right;
      left = combine(op, *left, *right);
    }
    return left;
  }

  Read product() {
    Read left = primary();
    while (left && (peek() == '*' || peek() == '/')) {
      const char op = text_[at_++];
      Read right = primary();
      if (!right) return right;
      left = combine(op, *left, *right);
    }
    return left;
  }

  Read primary() {
    if (++depth_ > kDeepest) return fail(ErrorCode::InvalidInput, "too many brackets");
    const char c = peek();
    if (c == '-') {
      ++at_;
      Read inner = primary();
      return inner ? Read(combine(
                         '-', [](const ActorValue&) { return 0.0; }, *inner))
                   : inner;
    }
    if (c == '(') {
      ++at_;
      Read inner = sum();
      return inner ? close(*inner) : inner;
    }
    if (c == 'R' || c == 'r' || c == 'L' || c == 'l') return between();
    return number();
  }

  Read between() {
    const bool random = text_[at_] == 'R' || text_[at_] == 'r';
    const char* name = random ? "R" : "L";
    ++at_;
    if (peek() != '(')
      return fail(ErrorCode::InvalidInput,
                  fmt::format("{} needs two numbers: {}(0,1)", name, name));
    ++at_;
    Read low = sum();
    if (!low) return low;
    if (peek() != ',')
      return fail(ErrorCode::InvalidInput,
                  fmt::format("{} needs two numbers: {}(0,1)", name, name));
    ++at_;
    Read high = sum();
    if (!high) return high;
    return close([random, seed = seed_, stream = stream_, low = *low,
                  high = *high](const ActorValue& actor) {
      const double ramp = actor.count > 1 ? double(actor.index) / double(actor.count - 1) : 0.0;
      const double t = random ? randomUnit(seed, actor.actor, stream) : ramp;
      const double from = low(actor);
      return from + (high(actor) - from) * t;
    });
  }

  Read close(ActorFormula inner) {
    if (peek() != ')') return fail(ErrorCode::InvalidInput, "missing )");
    ++at_;
    return inner;
  }

  Read number() {
    double value = 0.0;
    peek();
    const char* begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error != std::errc() || !std::isfinite(value)) {
      return fail(ErrorCode::InvalidInput,
                  at_ >= text_.size() ? std::string("a number is missing at the end")
                                      : fmt::format("'{}' is not a number", text_.substr(at_)));
    }
    at_ += static_cast<std::size_t>(end - begin);
    return ActorFormula([value](const ActorValue&) { return value; });
  }

  // The next character that is not blank.
  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  std::string text_;
  std::uint64_t seed_;
  std::uint64_t stream_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

Result<ActorFormula> readExpression(const QString& text, std::uint64_t seed, int stream) {
  return Reader(text.toStdString(), seed, stream).all();
}

}  // namespace ck::ui

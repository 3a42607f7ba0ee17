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
    const char op = peek();
    const bool changes = op == '*' || op == '/';
    const bool assigns = (changes || op == '+' || op == '-') && text_.substr(at_ + 1, 1) == "=";
    if (!changes && !assigns) return sum();
    at_ += assigns ? 2 : 1;
    return sum().map([op](const ActorFormula& right) {
      return combine(
          op, [](const ActorValue& actor) { return actor.value; }, right);
    });
  }

  Read sum() { return chain(&Reader::product, '+', '-'); }

  Read product() { return chain(&Reader::primary, '*', '/'); }

  // Parts with one of two operators in between, from the left.
  Read chain(Read (Reader::*part)(), char one, char other) {
    Read left = (this->*part)();
    while (left && (peek() == one || peek() == other)) {
      const char op = text_[at_++];
      Read right = (this->*part)();
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
      return primary().map([](const ActorFormula& inner) {
        return combine(
            '-', [](const ActorValue&) { return 0.0; }, inner);
      });
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
    const auto incomplete =
        fail(ErrorCode::InvalidInput,
             fmt::format("{0} needs two numbers: {0}(0,1)", random ? "R" : "L"));
    ++at_;
    if (peek() != '(') return incomplete;
    ++at_;
    Read low = sum();
    if (!low) return low;
    if (peek() != ',') return incomplete;
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

#include "core/export/stated_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/base/json_fields.h"

namespace ck {
namespace {

struct Figure {
  const char* name;
  double ErrorFigures::*value;
};
constexpr std::array<Figure, 5> kFigures = {{{"maxMm", &ErrorFigures::maxMm},
                                             {"p99Mm", &ErrorFigures::p99Mm},
                                             {"rmsMm", &ErrorFigures::rmsMm},
                                             {"maxDegrees", &ErrorFigures::maxDegrees},
                                             {"vertexMaxMm", &ErrorFigures::vertexMaxMm}}};

void readFigures(JsonFields fields, ErrorFigures& figures) {
  constexpr double kMost = std::numeric_limits<double>::max();
  for (const Figure& figure : kFigures) {
    fields.number(figure.name, figures.*figure.value, -kMost, kMost);
  }
  JsonFields worst = fields.object("worst");
  worst.text("clip", figures.worstClip);
  worst.text("joint", figures.worstJoint);
  worst.number("timeSeconds", figures.worstTimeSeconds, -kMost, kMost);
}

bool differ(double a, double b) {
  return !(std::abs(a - b) <= 1e-6 * std::max({1.0, std::abs(a), std::abs(b)}));
}

std::string firstFalse(const char* name, const ErrorFigures& stated, const ErrorFigures& measured) {
  for (const Figure& figure : kFigures) {
    const double said = stated.*figure.value;
    const double is = measured.*figure.value;
    if (differ(said, is)) {
      return fmt::format("{}.{} is {:.6g}, but {:.6g} was measured", name, figure.name, said, is);
    }
  }
  if (stated.worstClip != measured.worstClip || stated.worstJoint != measured.worstJoint ||
      differ(stated.worstTimeSeconds, measured.worstTimeSeconds)) {
    return fmt::format(
        "{}.worst names '{}' of '{}' at {:.4g} s, but '{}' of '{}' at {:.4g} s was "
        "measured",
        name, stated.worstJoint, stated.worstClip, stated.worstTimeSeconds, measured.worstJoint,
        measured.worstClip, measured.worstTimeSeconds);
  }
  return {};
}

}  // namespace

Result<std::optional<BakeError>> statedError(std::string_view sidecarText) {
  const auto document = JsonDocument::parse(sidecarText);
  if (!document) return tl::unexpected(document.error());
  std::optional<Error> problem;
  JsonFields root(document->root(), "", problem, JsonFields::Missing::IsWrong);
  BakeError error;
  if (!problem && !root.has("error") && !root.has("errorDirect")) return std::optional<BakeError>();
  readFigures(root.object("error"), error.palette);
  readFigures(root.object("errorDirect"), error.direct);
  if (!problem) return std::optional<BakeError>(error);
  return fail(
      ErrorCode::InvalidInput,
      fmt::format("its error figures are incomplete or no numbers ({}); export the set again",
                  problem->message));
}

std::string firstFalseFigure(const BakeError& stated, const BakeError& measured) {
  const std::string palette = firstFalse("error", stated.palette, measured.palette);
  return palette.empty() ? firstFalse("errorDirect", stated.direct, measured.direct) : palette;
}

}  // namespace ck

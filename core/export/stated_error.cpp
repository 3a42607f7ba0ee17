#include "core/export/stated_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

namespace ck {
namespace {

using Json = nlohmann::json;

struct Figure {
  const char* name;
  double ErrorFigures::*value;
};
constexpr std::array<Figure, 5> kFigures = {{{"maxMm", &ErrorFigures::maxMm},
                                             {"p99Mm", &ErrorFigures::p99Mm},
                                             {"rmsMm", &ErrorFigures::rmsMm},
                                             {"maxDegrees", &ErrorFigures::maxDegrees},
                                             {"vertexMaxMm", &ErrorFigures::vertexMaxMm}}};

bool readFigures(const Json& json, ErrorFigures& figures) {
  if (!json.is_object()) return false;
  for (const Figure& figure : kFigures) {
    if (!json.contains(figure.name) || !json[figure.name].is_number()) return false;
    figures.*figure.value = json[figure.name].get<double>();
  }
  if (!json.contains("worst") || !json["worst"].is_object()) return false;
  const Json& worst = json["worst"];
  const auto isText = [&worst](const char* key) {
    return worst.contains(key) && worst[key].is_string();
  };
  if (!isText("clip") || !isText("joint") || !worst.contains("timeSeconds") ||
      !worst["timeSeconds"].is_number()) {
    return false;
  }
  figures.worstClip = worst["clip"].get<std::string>();
  figures.worstJoint = worst["joint"].get<std::string>();
  figures.worstTimeSeconds = worst["timeSeconds"].get<double>();
  return true;
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
  const Json json = Json::parse(sidecarText, nullptr, false);
  if (!json.is_object()) return fail(ErrorCode::InvalidInput, "this is not a sidecar");
  if (!json.contains("error") && !json.contains("errorDirect")) return std::optional<BakeError>();
  BakeError error;
  if (!json.contains("error") || !json.contains("errorDirect") ||
      !readFigures(json["error"], error.palette) ||
      !readFigures(json["errorDirect"], error.direct)) {
    return fail(ErrorCode::InvalidInput,
                "its error figures are incomplete or no numbers; export the set again");
  }
  return std::optional<BakeError>(error);
}

std::string firstFalseFigure(const BakeError& stated, const BakeError& measured) {
  const std::string palette = firstFalse("error", stated.palette, measured.palette);
  return palette.empty() ? firstFalse("errorDirect", stated.direct, measured.direct) : palette;
}

}  // namespace ck

#include "core/export/error_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace ck {
namespace {

constexpr double kLargest = std::numeric_limits<double>::max();

void describeValue(JsonFields& fields, const char* key, double& value) {
  fields.number(key, value, 0.0, kLargest);
}

void describeView(JsonFields& fields, ScreenView& view) {
  fields.number("atMeters", view.distanceMeters, kNearestView, kFarthestView);
  fields.number("viewHeight", view.imageHeightPixels, 1.0, kTallestView);
  fields.number("fieldOfViewDegrees", view.verticalFieldOfViewDegrees, kNarrowestView, kWidestView);
}

// Where a maximum is, at a vertex or at a joint.
void describeWorst(JsonFields fields, ErrorFigure& figure, bool isVertex) {
  fields.text("clip", figure.worstClip);
  if (isVertex) {
    fields.text("mesh", figure.worstMesh);
    fields.integer("vertex", figure.worstVertex, -1, std::numeric_limits<std::int32_t>::max());
  }
  fields.text("joint", figure.worstJoint);
  fields.number("timeSeconds", figure.worstTimeSeconds, -kLargest, kLargest);
}

// The shell, and a copy of the largest error at vertices.
void describeShell(JsonFields& fields, ErrorFigures& figures, double& vertexMaxMm) {
  describeValue(fields, "maxMm", figures.shell.max);
  describeValue(fields, "p99Mm", figures.shell.p99);
  describeValue(fields, "rmsMm", figures.shell.rms);
  describeValue(fields, "maxDegrees", figures.maxDegrees);
  describeValue(fields, "vertexMaxMm", vertexMaxMm);
  describeWorst(fields.object("worst"), figures.shell, false);
}

void describeVertices(JsonFields fields, ErrorFigure& vertices) {
  describeValue(fields, "maxMm", vertices.max);
  describeValue(fields, "p99Mm", vertices.p99);
  describeValue(fields, "rmsMm", vertices.rms);
  describeWorst(fields.object("worst"), vertices, true);
}

void describeScreen(JsonFields fields, ErrorFigure& screen, ScreenView& view) {
  describeValue(fields, "max", screen.max);
  describeValue(fields, "p99", screen.p99);
  describeValue(fields, "rms", screen.rms);
  describeView(fields, view);
  describeWorst(fields.object("worst"), screen, true);
}

void writeFigures(JsonFields fields, ErrorFigures figures, ScreenView view) {
  describeShell(fields, figures, figures.vertices.max);
  double shellMeters = kShellMeters;
  describeValue(fields, "shellMeters", shellMeters);
  describeVertices(fields.object("vertex"), figures.vertices);
  describeScreen(fields.object("pixels"), figures.screen, view);
}

void readFigures(JsonFields fields, ErrorFigures& figures, ScreenView& view) {
  double vertexMaxMm = 0.0;
  describeShell(fields, figures, vertexMaxMm);
  describeVertices(fields.object("vertex"), figures.vertices);
  describeScreen(fields.object("pixels"), figures.screen, view);
  if (vertexMaxMm != figures.vertices.max) {
    fields.wrong("vertexMaxMm", "is not vertex.maxMm");
  }
}

bool differ(double a, double b) {
  return !(std::abs(a - b) <= 1e-6 * std::max({1.0, std::abs(a), std::abs(b)}));
}

std::string placeOf(const ErrorFigure& figure) {
  const std::string where = figure.worstVertex < 0
                                ? fmt::format("'{}'", figure.worstJoint)
                                : fmt::format("vertex {} of '{}' ('{}')", figure.worstVertex,
                                              figure.worstMesh, figure.worstJoint);
  return fmt::format("{} in '{}' at {:.4g} s", where, figure.worstClip, figure.worstTimeSeconds);
}

// Whether a stated figure is none that this atlas has. Versions of this program round otherwise,
// and count other vertices for percentiles and means; `part` is what that may change.
constexpr double kOfMaximum = 2e-3;
bool isFalse(double said, double is, double part) {
  constexpr double kRounding = 1e-3;  // millimetres, degrees, pixels
  return !(std::abs(said - is) <= part * std::abs(is) + kRounding);
}

bool samePlace(const ErrorFigure& a, const ErrorFigure& b) {
  return a.worstClip == b.worstClip && a.worstJoint == b.worstJoint && a.worstMesh == b.worstMesh &&
         a.worstVertex == b.worstVertex && !differ(a.worstTimeSeconds, b.worstTimeSeconds);
}

// `path` stands in front of the keys; `unit` is the end of the keys of the numbers.
std::string firstFalse(const std::string& path, const char* unit, const ErrorFigure& stated,
                       const ErrorFigure& measured) {
  constexpr double kOfMean = 0.05;
  const struct {
    const char* name;
    double said;
    double is;
    double part;
  } values[] = {{"max", stated.max, measured.max, kOfMaximum},
                {"p99", stated.p99, measured.p99, kOfMean},
                {"rms", stated.rms, measured.rms, kOfMean}};
  for (const auto& [name, said, is, part] : values) {
    if (!isFalse(said, is, part)) continue;
    return fmt::format("{}.{}{} is {:.6g}, but {:.6g} was measured", path, name, unit, said, is);
  }
  // Where another moment was found the worst, another place is.
  if (differ(stated.max, measured.max) || samePlace(stated, measured)) return {};
  return fmt::format("{}.worst names {}, but {} was measured", path, placeOf(stated),
                     placeOf(measured));
}

std::string firstFalse(const std::string& path, const ErrorFigures& stated,
                       const ErrorFigures& measured) {
  if (auto wrong = firstFalse(path, "Mm", stated.shell, measured.shell); !wrong.empty()) {
    return wrong;
  }
  if (isFalse(stated.maxDegrees, measured.maxDegrees, kOfMaximum)) {
    return fmt::format("{}.maxDegrees is {:.6g}, but {:.6g} was measured", path, stated.maxDegrees,
                       measured.maxDegrees);
  }
  auto wrong = firstFalse(path + ".vertex", "Mm", stated.vertices, measured.vertices);
  return wrong.empty() ? firstFalse(path + ".pixels", "", stated.screen, measured.screen) : wrong;
}

}  // namespace

void writeError(JsonFields& root, const BakeError& error) {
  writeFigures(root.object("error"), error.palette, error.view);
  writeFigures(root.object("errorDirect"), error.direct, error.view);
}

std::string errorText(const BakeError& error) {
  JsonDraft draft;
  JsonFields root(draft);
  writeError(root, error);
  return draft.longText();
}

Result<std::optional<BakeError>> statedError(std::string_view sidecarText) {
  const auto document = JsonDocument::parse(sidecarText);
  if (!document) return tl::unexpected(document.error());
  std::optional<Error> problem;
  JsonFields root(document->root(), "", problem, JsonFields::Missing::IsWrong);
  if (!problem && !root.has("error") && !root.has("errorDirect")) {
    return std::optional<BakeError>();
  }
  BakeError error;
  ScreenView directView;
  readFigures(root.object("error"), error.palette, error.view);
  readFigures(root.object("errorDirect"), error.direct, directView);
  if (directView != error.view) root.wrong("errorDirect", "is for another view than error");
  if (!problem) return std::optional<BakeError>(error);
  return fail(ErrorCode::InvalidInput,
              fmt::format("its error figures are incomplete, no numbers or contradict each other "
                          "({}); export the set again",
                          problem->message));
}

std::string firstFalseFigure(const BakeError& stated, const BakeError& measured) {
  const BakeError same = seenFrom(measured, stated.view);
  const std::string palette = firstFalse("error", stated.palette, same.palette);
  return palette.empty() ? firstFalse("errorDirect", stated.direct, same.direct) : palette;
}

}  // namespace ck

#include "ui/document/notices.h"

#include <spdlog/spdlog.h>

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>
#include <cmath>

#include "core/anim/pose.h"
#include "core/base/log.h"
#include "core/import/file_axes.h"
#include "core/project/characters.h"
#include "ui/document/name_text.h"
#include "ui/document/text.h"

namespace ck::ui {
namespace {

// A character of this height was probably made in another unit than its file states.
constexpr double kTallestMeters = 20.0;
// The height above which a character at 1/100 scale was probably modelled in centimetres.
constexpr double kShortestMeters = 0.5;
constexpr double kPersonMeters = 1.75;

QString tr(const char* text) {
  return QCoreApplication::translate("Session", text);
}

Notice offer(const QString& question, const QString& name, double height, const QString& answer,
             const std::function<void()>& run) {
  return {Notice::Level::Hint,
          question.arg(name, QLocale().toString(height, 'f', 0)),
          {{answer, run}, {tr("Keep"), [] {}}}};
}

}  // namespace

Notice errorNotice(const Error& error) {
  log().error("{}", error.message);
  return {Notice::Level::Error, textOf(error.message), {}};
}

Notice refusalNotice(const ImportInputs& inputs, const Error& error) {
  Notice notice = errorNotice(error);
  // The message names the rig's file, but the source is a project.
  const std::string& path = inputs.sources.front().path;
  if (isProjectPath(path) && error.file != path) {
    notice.text = tr("%1: %2").arg(fileNameOf(path), notice.text);
  }
  return notice;
}

const ClipFitReport* reportOf(const FitReports& fits, const ImportInputs& inputs, int source) {
  const std::string& path = inputs.sources[std::size_t(source)].path;
  const auto found = std::ranges::find(fits.files, path, &ClipFitReport::path);
  return source == 0 || found == fits.files.end() ? nullptr : &*found;
}

bool leavesJointsOut(const ClipFitReport& report) {
  return std::ranges::any_of(report.rows, [](const ClipFitReport::Row& row) {
    return row.moves && row.rule == MatchRule::None;
  });
}

bool leavesJointsOut(const FitReports& fits) {
  return std::ranges::any_of(fits.files,
                             [](const ClipFitReport& file) { return leavesJointsOut(file); });
}

double heightOf(const Character& character) {
  const Bounds box = bindBounds(character);
  return double(box.high.y) - double(box.low.y);
}

void logNotes(std::string_view name, const Notes& notes) {
  for (const Note& note : notes) {
    log().log(note.level == Note::Level::Warning ? spdlog::level::warn : spdlog::level::info,
              "{}: {}", name, note.message);
  }
}

QString summaryOf(const Character& character) {
  std::size_t vertices = 0;
  for (const Mesh& mesh : character.meshes) vertices += mesh.positions.size();
  const QLocale locale;
  return tr("%1: %2 vertices, %3 joints, %4")
      .arg(nameText(character.name), locale.toString(qulonglong(vertices)),
           locale.toString(qulonglong(character.rig.joints.size())),
           counted(qlonglong(character.clips.size()), tr("clip"), tr("clips")));
}

std::optional<Notice> importNotice(const Character& character, bool warnings) {
  QStringList found;
  const auto collect = [&found](const Notes& notes) {
    for (const Note& note : notes) {
      if (note.level == Note::Level::Warning) found << textOf(note.message);
    }
  };
  if (character.clips.empty()) {
    found << tr("%1 has a rig but no clips. Add clips from another file (Ctrl+Shift+I).")
                 .arg(nameText(character.name));
  } else if (warnings) {
    collect(character.notes);
  }
  if (found.isEmpty()) return std::nullopt;
  const QString more =
      found.size() > 1 ? tr(" (%1 more in the log)").arg(found.size() - 1) : QString();
  return Notice{Notice::Level::Warning, found.first() + more};
}

std::optional<Notice> offerSmallerRig(const Character& character, const ImportSettings& settings,
                                      const std::function<void(const ImportSettings&)>& again) {
  const double height = heightOf(character);
  const bool sized = settings.unitScale > 0.0 || settings.heightMeters > 0.0;
  if (sized || height < kTallestMeters) return std::nullopt;
  const bool centimeters = height * 0.01 >= kShortestMeters;
  ImportSettings smaller = settings;
  if (centimeters) {
    smaller.unitScale = character.source.unitScale * 0.01;
  } else {
    smaller.heightMeters = kPersonMeters;
  }
  return offer(
      centimeters ? tr("%1 is %2 m tall; it looks like centimetres.")
                  : tr("%1 is %2 m tall; its unit is hardly metres."),
      nameText(character.name), height,
      centimeters ? tr("Scale by 0.01") : tr("Make it %1 m").arg(QLocale().toString(kPersonMeters)),
      [again, smaller] { again(smaller); });
}

std::optional<Notice> offerHeight(const Character& character, const ImportSettings& settings,
                                  const std::function<void(const ImportSettings&)>& again) {
  const double height = heightOf(character);
  const bool sized = settings.unitScale > 0.0 || settings.heightMeters > 0.0;
  const bool isUsual =
      std::ranges::find(character.notes, "HeightUnusual", &Note::code) == character.notes.end();
  // The unit of a BVH is found from its skeleton.
  const bool saysUnit = saysUp(character.source.format) || !saysAxes(character.source);
  if (sized || !(height > 0.0) || (isUsual && saysUnit)) return std::nullopt;
  const QString tall = height < 1.0 ? tr("%1 mm").arg(QLocale().toString(1000.0 * height, 'g', 3))
                                    : tr("%1 m").arg(QLocale().toString(height, 'g', 3));
  QString text = tr("%1 is %2 tall.").arg(textOf(character.name), tall);
  if (!saysUnit)
    text += tr(" %1 files do not say their unit.").arg(textOf(character.source.format));
  Notice notice{Notice::Level::Hint, text, {{tr("Keep"), [] {}}}};
  notice.field = {.name = tr("Height"),
                  .unit = tr(" m"),
                  .value = isUsual ? height : kPersonMeters,
                  .least = 0.001,
                  .most = 1e6,
                  .label = tr("Set the height"),
                  .use = [again, settings](double meters) {
                    ImportSettings sizedAnew = settings;
                    sizedAnew.heightMeters = meters;
                    again(sizedAnew);
                  }};
  return notice;
}

std::optional<Notice> offerSmallerActors(const Character& character, const QString& file,
                                         const std::function<void(double scale)>& shrink) {
  const double height = heightOf(character);
  if (height < kTallestMeters) return std::nullopt;
  // Units usually differ by a power of ten.
  const double scale = std::pow(10.0, std::round(std::log10(kPersonMeters / height)));
  return offer(tr("%1 is %2 m tall; its unit is hardly metres."), file, height,
               tr("Scale its actors by %1").arg(QLocale().toString(scale)),
               [shrink, scale] { shrink(scale); });
}

}  // namespace ck::ui

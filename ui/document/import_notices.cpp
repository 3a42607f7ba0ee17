#include "ui/document/import_notices.h"

#include <spdlog/spdlog.h>

#include <QCoreApplication>
#include <QLocale>
#include <cmath>

#include "core/anim/pose.h"
#include "core/base/log.h"
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

double heightOf(const Character& character) {
  const Bounds box = bindBounds(character);
  return double(box.high.y) - double(box.low.y);
}

}  // namespace

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
      .arg(textOf(character.name), locale.toString(qulonglong(vertices)),
           locale.toString(qulonglong(character.rig.joints.size())),
           counted(qlonglong(character.clips.size()), tr("clip"), tr("clips")));
}

std::optional<Notice> importNotice(const Character& character, bool warnings) {
  if (character.clips.empty()) {
    return Notice{Notice::Level::Warning,
                  tr("%1 has a rig but no clips. Add clips from another file (Ctrl+Shift+I).")
                      .arg(textOf(character.name))};
  }
  QStringList found;
  for (const Note& note : character.notes) {
    if (note.level == Note::Level::Warning) found << textOf(note.message);
  }
  if (!warnings || found.isEmpty()) return std::nullopt;
  const QString more =
      found.size() > 1 ? tr(" (%1 more in the log)").arg(found.size() - 1) : QString();
  return Notice{Notice::Level::Warning, found.first() + more};
}

std::optional<Notice> offerSmallerRig(const Character& character, const ImportSettings& settings,
                                      const std::function<void(const ImportSettings&)>& again) {
  if (settings.unitScale > 0.0 || settings.heightMeters > 0.0) return std::nullopt;
  const double height = heightOf(character);
  if (height < kTallestMeters) return std::nullopt;
  const bool centimeters = height * 0.01 >= kShortestMeters;
  const QLocale locale;
  ImportSettings smaller = settings;
  if (centimeters) {
    smaller.unitScale = character.source.unitScale * 0.01;
  } else {
    smaller.heightMeters = kPersonMeters;
  }
  const QString question = centimeters ? tr("%1 is %2 m tall; it looks like centimetres.")
                                       : tr("%1 is %2 m tall; its unit is hardly metres.");
  const QString answer =
      centimeters ? tr("Scale by 0.01") : tr("Make it %1 m").arg(locale.toString(kPersonMeters));
  return Notice{Notice::Level::Hint,
                question.arg(textOf(character.name), locale.toString(height, 'f', 0)),
                {{answer, [again, smaller] { again(smaller); }}, {tr("Keep"), [] {}}}};
}

std::optional<Notice> offerSmallerActors(const Character& character, const QString& file,
                                         const std::function<void(double scale)>& shrink) {
  const double height = heightOf(character);
  if (height < kTallestMeters) return std::nullopt;
  // Units usually differ by a power of ten.
  const double scale = std::pow(10.0, std::round(std::log10(kPersonMeters / height)));
  const QLocale locale;
  return Notice{
      Notice::Level::Hint,
      tr("%1 is %2 m tall; its unit is hardly metres.").arg(file, locale.toString(height, 'f', 0)),
      {{tr("Scale its actors by %1").arg(locale.toString(scale)),
        [shrink, scale] { shrink(scale); }},
       {tr("Keep"), [] {}}}};
}

}  // namespace ck::ui

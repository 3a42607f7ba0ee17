#include "ui/parts/field_units.h"

#include <QLocale>
#include <QRegularExpression>
#include <algorithm>
#include <cctype>
#include <utility>

#include "ui/document/text.h"

namespace ck::ui {
namespace {

// Units of one kind, with factors to any one of them.
const std::vector<ExpressionUnit> kKinds[] = {
    {{"m", 1.0},
     {"cm", 0.01},
     {"mm", 0.001},
     {"km", 1000.0},
     {"in", 0.0254},
     {"ft", 0.3048},
     {"yd", 0.9144}},
    {{"deg", 1.0}, {"rad", 57.29577951308232}, {"turn", 360.0}},
    {{"s", 1.0}, {"ms", 0.001}, {"min", 60.0}},
    {{"fps", 1.0}, {"Hz", 1.0}},
};

const std::pair<QChar, const char*> kSigns[] = {
    {u'\u00b0', " deg"}, {u'\u2032', " ft"}, {u'\'', " ft"},   {u'\u2033', " in"},
    {u'"', " in"},       {u'\u2212', "-"},   {u'\u00d7', "*"}, {u'\u00b7', "*"},
};

QString withWords(QString text) {
  for (const auto& [sign, word] : kSigns) text.replace(sign, QLatin1String(word));
  return text;
}

}  // namespace

std::vector<ExpressionUnit> unitsOf(const QString& suffix) {
  const std::string own = utf8Of(withWords(suffix).trimmed());
  // Fields without a unit, and those of a factor (" ×").
  if (own.empty() || own == "*") return {{"%", 0.01}};
  for (const auto& kind : kKinds) {
    for (const ExpressionUnit& unit : kind) {
      if (unit.name != own) continue;
      std::vector<ExpressionUnit> units = kind;
      for (ExpressionUnit& other : units) other.factor /= unit.factor;
      return units;
    }
  }
  // Suffixes of several words are no units.
  const bool isUnit =
      own == "%" || std::ranges::all_of(own, [](unsigned char c) { return std::isalpha(c) != 0; });
  return isUnit ? std::vector<ExpressionUnit>{{own, 1.0}} : std::vector<ExpressionUnit>();
}

std::string expressionText(QString typed) {
  const QLocale locale;
  const QString group = QRegularExpression::escape(locale.groupSeparator());
  typed.remove(QRegularExpression(QStringLiteral("(?<=\\d)%1(?=\\d{3}(\\D|$))").arg(group)));
  if (locale.decimalPoint() != QLatin1String("."))
    typed.replace(locale.decimalPoint(), QLatin1String("."));
  return utf8Of(withWords(std::move(typed)));
}

}  // namespace ck::ui

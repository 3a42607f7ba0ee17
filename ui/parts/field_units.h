#pragma once

#include <QString>
#include <vector>

#include "ui/parts/expression.h"

namespace ck::ui {

// The units that a field takes whose suffix is `suffix` (" m", "°", " fps"), with factors to its
// own unit: lengths in a field of a length, angles in one of an angle, times in one of a time. A
// field without a suffix takes "%", and one with an unknown suffix only that, or nothing if it is
// more than a word.
std::vector<ExpressionUnit> unitsOf(const QString& suffix);

// A typed text as Expression::read() takes it: signs such as the one for degrees as words, the
// locale's decimal sign as a point, and no separators of thousands.
std::string expressionText(QString typed);

}  // namespace ck::ui

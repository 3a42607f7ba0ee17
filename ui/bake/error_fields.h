#pragma once

#include <QString>

#include "core/atlas/error_figures.h"

class QWidget;

namespace ck {
struct Project;
}

namespace ck::ui {

class Document;

// How the characters are looked at for the error on the screen: three boxes, each bound to
// ViewSettings::screen. Each change is one undo step, as for the limits.
QWidget* makeScreenRow(Document& document);
// The largest errors at vertices, at the shell and on the screen: three boxes, bound to
// Project::errorLimits.
QWidget* makeLimitRow(Document& document);

// Both readings as rich text. The one that the view draws is named, and its figures above a limit
// are red.
QString errorText(const BakeError& error, const Project& project);
// The link to the worst place of a reading's vertices, as in that text.
QString worstLink(bool isDirect);
// The figure whose worst place is behind such a link; null for any other link.
const ErrorFigure* worstOfLink(const BakeError& error, const QString& link);

}  // namespace ck::ui

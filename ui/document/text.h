#pragma once

#include <QFileInfo>
#include <QLocale>
#include <QString>
#include <string>
#include <string_view>

#include "core/base/utf8.h"

namespace ck::ui {

// Conversion between UTF-8 of the core and Qt's strings.
inline QString textOf(std::string_view utf8) {
  return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}
// A message of the core as a sentence, with a capital letter.
inline QString sentenceOf(std::string_view utf8) {
  QString text = textOf(utf8);
  if (!text.isEmpty()) text[0] = text[0].toUpper();
  return text;
}
// The text with control characters and marks of direction written out (visibleText()).
inline QString shownText(const QString& text) {
  return textOf(visibleText(text.toStdString(), true));
}
inline std::string utf8Of(const QString& text) {
  return text.toStdString();
}

// The name of the file at a path.
inline QString fileNameOf(std::string_view utf8Path) {
  return QFileInfo(textOf(utf8Path)).fileName();
}

// "1 clip", "1,200 clips".
inline QString counted(qlonglong count, const QString& one, const QString& many) {
  return QStringLiteral("%1 %2").arg(QLocale().toString(count), count == 1 ? one : many);
}
// "1 pixel", "2.5 pixels": a number of two digits.
inline QString about(double count, const QString& one, const QString& many) {
  const QLocale locale;
  const QString number = locale.toString(count, 'g', 2);
  return QStringLiteral("%1 %2").arg(number, number == locale.toString(1) ? one : many);
}

}  // namespace ck::ui

#pragma once

class QColor;
class QFont;
class QPainter;
class QPointF;
class QSizeF;
class QString;

namespace ck::ui {

// Paints a short text on a dark ground beside a place of a view of this size, moved into the view
// where it would leave it. Logical pixels. For tools: the painter of a view draws with OpenGL,
// where glyphs come out broken, so the text is drawn as a picture.
void paintLabel(QPainter& painter, const QSizeF& view, const QPointF& beside, const QString& text,
                const QFont& font, const QColor& ink);

}  // namespace ck::ui

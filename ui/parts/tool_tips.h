#pragma once

#include <QObject>
#include <QString>

class QPoint;
class QWidget;

namespace ck::ui {

inline constexpr int kWidestToolTip = 480;  // logical pixels, the frame included

// The text as rich text that is broken into lines if it is too wide for a tool tip; otherwise as it
// is. A tip is rich text only if it begins with <qt>: names in others may look like it.
QString narrowToolTip(const QString& tip);

// QToolTip::showText() of a text that is not too wide.
void showToolTip(const QPoint& onScreen, const QString& text, QWidget* widget);

// While it lives, no tool tip of a widget, of an item in a view, of a tab or in a menu is wider
// than kWidestToolTip. Texts are broken when they are shown; the widgets keep theirs.
class ToolTipFilter : public QObject {
 public:
  explicit ToolTipFilter(QObject* parent);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace ck::ui

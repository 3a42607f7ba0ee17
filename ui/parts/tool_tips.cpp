#include "ui/parts/tool_tips.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QFontMetrics>
#include <QHeaderView>
#include <QHelpEvent>
#include <QMenu>
#include <QTabBar>
#include <QTextDocument>
#include <QToolTip>
#include <cmath>

#include "ui/document/text.h"

namespace ck::ui {
namespace {

// The frame and the padding of the style sheet on both sides, and what Qt adds.
constexpr int kFrame = 40;

constexpr QLatin1String kRich("<qt>");

// The text as it is shown: one that is no rich text of the program's own is plain, whatever names
// in it look like to Qt.
QString ownText(const QString& text) {
  const QString shown = shownText(text);
  if (text.startsWith(kRich) || !Qt::mightBeRichText(text)) return shown;
  return kRich + shown.toHtmlEscaped().replace(u'\n', QLatin1String("<br>"));
}

// The width of a text when nothing breaks its lines.
double widthOf(const QString& text) {
  QTextDocument document;
  document.setDefaultFont(QToolTip::font());
  document.setDocumentMargin(0.0);
  if (Qt::mightBeRichText(text)) {
    document.setHtml(text);
  } else {
    document.setPlainText(text);
  }
  return document.idealWidth();
}

// The text of a tool tip at a point of a widget, as Qt would show it.
QString toolTipAt(QWidget* widget, const QPoint& at) {
  if (auto* view = qobject_cast<QAbstractItemView*>(widget->parentWidget());
      view && view->viewport() == widget && view->model()) {
    if (const auto* header = qobject_cast<QHeaderView*>(view)) {
      const int section = header->logicalIndexAt(at);
      if (section < 0) return {};
      return header->model()
          ->headerData(section, header->orientation(), Qt::ToolTipRole)
          .toString();
    }
    return view->indexAt(at).data(Qt::ToolTipRole).toString();
  }
  if (const auto* menu = qobject_cast<QMenu*>(widget)) {
    const QAction* action = menu->toolTipsVisible() ? menu->actionAt(at) : nullptr;
    return action ? action->toolTip() : QString();
  }
  if (const auto* tabs = qobject_cast<QTabBar*>(widget)) {
    const int tab = tabs->tabAt(at);
    if (tab >= 0 && !tabs->tabToolTip(tab).isEmpty()) return tabs->tabToolTip(tab);
  }
  return widget->toolTip();
}

}  // namespace

QString narrowToolTip(const QString& tip) {
  const int widest = kWidestToolTip - kFrame;
  const QString text = ownText(tip);
  if (text.isEmpty() || widthOf(text) <= widest) return text;
  QString rich = text;
  if (!Qt::mightBeRichText(text)) rich = text.toHtmlEscaped().replace(u'\n', QLatin1String("<br>"));
  // A table has a fixed width; paragraphs become as wide as Qt likes.
  return QStringLiteral(
             "<table width=\"%1\" cellspacing=\"0\" cellpadding=\"0\"><tr><td>%2"
             "</td></tr></table>")
      .arg(widest)
      .arg(rich);
}

void showToolTip(const QPoint& onScreen, const QString& text, QWidget* widget) {
  QToolTip::showText(onScreen, narrowToolTip(text), widget);
}

ToolTipFilter::ToolTipFilter(QObject* parent) : QObject(parent) {
  qApp->installEventFilter(this);
}

bool ToolTipFilter::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::ToolTip || !watched->isWidgetType()) return false;
  auto* widget = static_cast<QWidget*>(watched);
  const auto* help = static_cast<QHelpEvent*>(event);
  const QString text = toolTipAt(widget, help->pos());
  const QString narrow = narrowToolTip(text);
  if (narrow == text) return false;
  QToolTip::showText(help->globalPos(), narrow, widget);
  event->accept();
  return true;
}

}  // namespace ck::ui

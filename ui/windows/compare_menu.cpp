#include "ui/windows/compare_menu.h"

#include <QAction>
#include <QKeyEvent>
#include <QMenu>
#include <utility>

#include "core/view/view_options.h"
#include "render/view/error_scale.h"
#include "ui/document/text.h"
#include "ui/viewport/error_legend.h"
#include "ui/viewport/spot_guide.h"
#include "ui/viewport/viewport_frame.h"
#include "ui/viewport/viewport_widget.h"
#include "ui/windows/main_menus.h"
#include "ui/windows/main_window.h"
#include "ui/windows/view_menus.h"

namespace ck::ui {

CompareMenu::CompareMenu(QMenu& menu, MainMenus& menus, MainWindow& window, QMenu& errorScale)
    : QObject(&window), viewport_(*window.viewportFrame().viewport()), window_(window) {
  addModes(menu, menus);
  menus.add(
      menu, tr("Go to the &worst error"),
      tr("Show the clip, the moment and the vertex that is farthest from the source"),
      tr("Ctrl+Alt+W"), nullptr, [&window] { window.guide().goToWorst(); },
      [&window] { return window.guide().whyNoWorst(); });
  menu.addSeparator();
  addLines(menu, menus, window);
  connect(&window.viewportFrame().legend(), &ErrorLegend::menuAsked, &errorScale,
          [&errorScale](const QPoint& place) { errorScale.popup(place); });
  viewport_.installEventFilter(this);
  window.installEventFilter(this);
}

void CompareMenu::addModes(QMenu& menu, MainMenus& menus) {
  flip_ = menus.add(menu, tr("Flip to the sou&rce"),
                    tr("Shows the source while the key is held, or what is baked if the source is "
                       "shown; from the menu until it is chosen again"),
                    Qt::Key_Backslash, nullptr, {});
  flip_->setCheckable(true);
  connect(flip_, &QAction::triggered, this, &CompareMenu::flip);
  viewportKeys_ << flip_;
  const auto addMode = [&](const QString& text, const QString& tip, const QKeySequence& key,
                           ViewMode mode) {
    QAction* action = menus.add(menu, text, tip, key, nullptr, {});
    action->setCheckable(true);
    connect(action, &QAction::triggered, this, [this, mode] { toggle(int(mode)); });
    connect(&viewport_, &ViewportWidget::viewModeChanged, action,
            [this, action, mode] { action->setChecked(viewport_.viewMode() == mode); });
    // Shift and the key write a bar in a text field.
    if (mode == ViewMode::Split) viewportKeys_ << (split_ = action);
  };
  addMode(tr("Source | baked, &divided"),
          tr("The source on the left of a line that is dragged, what is baked on its right"),
          tr("Shift+\\"), ViewMode::Split);
  addMode(tr("Error &heat"), tr("What is baked, coloured by the distance to the source"),
          tr("Ctrl+\\"), ViewMode::Error);
  // Another mode that is chosen meanwhile stays.
  connect(&viewport_, &ViewportWidget::viewModeChanged, this, [this] {
    if (!flipping_) flippedFrom_ = -1;
    flip_->setChecked(flippedFrom_ >= 0);
  });
}

void CompareMenu::addLines(QMenu& menu, MainMenus& menus, MainWindow& window) {
  QMenu& lines = *menu.addMenu(tr("Lines o&ver actors"));
  lines.setToolTipsVisible(true);
  const std::pair<std::string_view, QKeySequence> keys[] = {{"skeleton", Qt::Key_B},
                                                            {"jointAxes", tr("Shift+B")},
                                                            {"bounds", tr("Shift+Z")},
                                                            {"wireframe", Qt::Key_Z},
                                                            {"levels", {}}};
  for (const auto& [name, key] : keys) {
    const ViewOption& row = viewOption(name);
    QAction* action =
        menus.add(lines, textOf(row.menu.title), textOf(row.menu.tip), key, nullptr, {});
    action->setCheckable(true);
    bindSwitch(*action, window.document(), row);
    viewportKeys_ << action;
  }
}

void CompareMenu::flip(bool on) {
  if (on == (flippedFrom_ >= 0)) return;
  const ViewMode now = viewport_.viewMode();
  flipping_ = true;
  if (on) {
    flippedFrom_ = int(now);
    viewport_.setViewMode(now == ViewMode::Source ? ViewMode::Baked : ViewMode::Source);
  } else {
    viewport_.setViewMode(ViewMode(std::exchange(flippedFrom_, -1)));
  }
  flipping_ = false;
  flip_->setChecked(on);
}

void CompareMenu::toggle(int mode) {
  flip(false);
  const int now = int(viewport_.viewMode());
  if (now == mode) {
    const bool known = before_ >= 0 && before_ != mode;
    viewport_.setViewMode(known ? ViewMode(before_) : ViewMode::Baked);
    return;
  }
  before_ = now;
  viewport_.setViewMode(ViewMode(mode));
}

// Keyboards write a bar with it, or report the key itself.
bool CompareMenu::isSplitKey(const QKeyEvent& key) const {
  const bool known = key.key() == Qt::Key_Bar || key.key() == Qt::Key_Backslash;
  return known && (key.modifiers() & ~Qt::GroupSwitchModifier) == Qt::ShiftModifier;
}

bool CompareMenu::eventFilter(QObject* watched, QEvent* event) {
  const bool isKey = event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress;
  // In the view it is a shortcut.
  if (isKey && watched == &window_ && !viewport_.hasFocus() &&
      isSplitKey(*static_cast<QKeyEvent*>(event))) {
    if (event->type() == QEvent::KeyPress) split_->trigger();
    event->accept();
    return true;
  }
  if (event->type() == QEvent::WindowDeactivate && watched == &window_) flip(false);
  const auto isFlip = [event] {
    const auto* key = static_cast<QKeyEvent*>(event);
    return key->key() == Qt::Key_Backslash && !(key->modifiers() & ~Qt::GroupSwitchModifier);
  };
  switch (event->type()) {
    case QEvent::ShortcutOverride:
      if (!isFlip()) break;
      event->accept();
      return true;
    case QEvent::KeyPress:
      if (!isFlip()) break;
      if (!static_cast<QKeyEvent*>(event)->isAutoRepeat()) flip(flippedFrom_ < 0);
      return true;
    case QEvent::KeyRelease:
      if (static_cast<QKeyEvent*>(event)->key() != Qt::Key_Backslash) break;
      if (!static_cast<QKeyEvent*>(event)->isAutoRepeat()) flip(false);
      return true;
    case QEvent::FocusOut: {
      // The release goes elsewhere. A menu gives the focus back, and may be where it was flipped.
      const Qt::FocusReason reason = static_cast<QFocusEvent*>(event)->reason();
      if (reason != Qt::PopupFocusReason && reason != Qt::MenuBarFocusReason) flip(false);
      break;
    }
    default:
      break;
  }
  return QObject::eventFilter(watched, event);
}

void addErrorScaleEntries(QMenu& menu, MainMenus& menus, MainWindow& window) {
  ViewportWidget* viewport = window.viewportFrame().viewport();
  const auto seen = [viewport]() -> const render::ErrorViewStats* {
    const render::CrowdRenderer* renderer = viewport->renderer();
    if (!renderer || !renderer->stats().errorView) return nullptr;
    return &*renderer->stats().errorView;
  };
  Document& document = window.document();
  menu.addSeparator();
  QAction* freeze = menus.add(
      menu, CompareMenu::tr("Fit to what is seen &now"),
      CompareMenu::tr("Fits the scale once to the largest error in the view and keeps it"), {},
      nullptr, [&document, seen] {
        if (seen()) setErrorScale(document, render::errorScaleFor(seen()->maxMm));
      });
  menus.add(menu, CompareMenu::tr("&Set to..."),
            CompareMenu::tr("Type the millimetres that the last colour stands for"), {}, nullptr,
            [&document, &window, seen] {
              const double set = document.project().view.errorScaleMm;
              askErrorScale(document, &window, set > 0.0 ? set : seen() ? seen()->scaleMm : 1.0);
            });
  QObject::connect(&menu, &QMenu::aboutToShow, freeze, [freeze, seen] {
    freeze->setEnabled(seen() != nullptr);
    freeze->setToolTip(seen() ? freeze->statusTip()
                              : CompareMenu::tr("Show the error heat first (Ctrl+\\)"));
  });
}

}  // namespace ck::ui

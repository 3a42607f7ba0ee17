#include "ui/windows/compare_menu.h"

#include <QAction>
#include <QKeyEvent>
#include <QMenu>
#include <utility>

#include "core/view/view_options.h"
#include "render/view/error_scale.h"
#include "ui/actions/action_table.h"
#include "ui/document/document.h"
#include "ui/viewport/error_legend.h"
#include "ui/viewport/spot_guide.h"
#include "ui/viewport/viewport_widget.h"
#include "ui/windows/view_menus.h"

namespace ck::ui {

namespace {

// Lines over the actors, each a switch of the view.
void addLines(ActionTable& actions, QMenu& lines, Document& document) {
  lines.setToolTipsVisible(true);
  const std::pair<std::string_view, ActionKeys> rows[] = {
      {"skeleton", inView(Qt::Key_B)},
      {"jointAxes", inView(CompareMenu::tr("Shift+B"))},
      {"bounds", inView(CompareMenu::tr("Shift+Z"))},
      {"wireframe", inView(Qt::Key_Z)},
      {"levels", kNoKey}};
  for (const auto& [key, keys] : rows) addSwitch(actions, lines, document, viewOption(key), keys);
}

}  // namespace

CompareMenu::CompareMenu(ActionTable& actions, QMenu& menu, Document& document, SpotGuide& guide,
                         ViewportWidget& viewport, QWidget& window)
    : QObject(&window), viewport_(viewport), window_(window) {
  addModes(actions, menu);
  actions.add(menu,
              {"view.worst", tr("Go to the &worst error"),
               tr("Show the clip, the moment and the vertex that is farthest from the source"),
               tr("Ctrl+Alt+W"), nullptr, [&guide] { guide.goToWorst(); },
               [&guide] { return guide.whyNoWorst(); }});
  menu.addSeparator();
  addLines(actions, *menu.addMenu(tr("Lines o&ver actors")), document);
  viewport_.installEventFilter(this);
  window.installEventFilter(this);
}

void CompareMenu::addModes(ActionTable& actions, QMenu& menu) {
  flip_ = actions.addSwitch(
      menu, {"view.flip", tr("Flip to the sou&rce"),
             tr("Shows the source while the key is held, or what is baked if the source is shown; "
                "from the menu until it is chosen again"),
             inView(Qt::Key_Backslash)});
  connect(flip_, &QAction::triggered, this, &CompareMenu::flip);
  const auto addMode = [&](ViewMode mode, const ActionRow& row) {
    QAction* action = actions.addSwitch(menu, row);
    connect(action, &QAction::triggered, this, [this, mode] { toggle(int(mode)); });
    connect(&viewport_, &ViewportWidget::viewModeChanged, action,
            [this, action, mode] { action->setChecked(viewport_.viewMode() == mode); });
    return action;
  };
  // Shift and the key write a bar in a text field.
  split_ =
      addMode(ViewMode::Split,
              {"view.split", tr("Source | baked, &divided"),
               tr("The source on the left of a line that is dragged, what is baked on its right"),
               inView(tr("Shift+\\"))});
  addMode(ViewMode::Error,
          {"view.errorHeat", tr("Error &heat"),
           tr("What is baked, coloured by the distance to the source"), tr("Ctrl+\\")});
  // Another mode that is chosen meanwhile stays.
  connect(&viewport_, &ViewportWidget::viewModeChanged, this, [this] {
    if (!flipping_) flippedFrom_ = -1;
    flip_->setChecked(flippedFrom_ >= 0);
  });
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

void addErrorScaleEntries(ActionTable& actions, QMenu& menu, Document& document,
                          ViewportWidget& viewport) {
  const auto seen = [&viewport]() -> const render::ErrorViewStats* {
    const render::CrowdRenderer* renderer = viewport.renderer();
    if (!renderer || !renderer->stats().errorView) return nullptr;
    return &*renderer->stats().errorView;
  };
  menu.addSeparator();
  QAction* freeze = actions.add(
      menu, {"view.errorScale.freeze", CompareMenu::tr("Fit to what is seen &now"),
             CompareMenu::tr("Fits the scale once to the largest error in the view and keeps it"),
             kNoKey, nullptr, [&document, seen] {
               if (seen()) setErrorScale(document, render::errorScaleFor(seen()->maxMm));
             }});
  const auto offer = [freeze, seen] {
    const bool shown = seen() != nullptr;
    if (shown == freeze->isEnabled()) return;
    setEnabledBecause(*freeze, shown, CompareMenu::tr("Show the error heat first (Ctrl+\\)"));
  };
  QObject::connect(&viewport, &ViewportWidget::framePainted, freeze, offer);
  offer();
  actions.add(menu, {"view.errorScale.set", CompareMenu::tr("&Set to..."),
                     CompareMenu::tr("Type the millimetres that the last colour stands for"),
                     kNoKey, nullptr, [&document, &viewport, seen] {
                       const double set = document.project().view.errorScaleMm;
                       askErrorScale(document, viewport.window(),
                                     set > 0.0 ? set
                                     : seen()  ? seen()->scaleMm
                                               : 1.0);
                     }});
}

}  // namespace ck::ui

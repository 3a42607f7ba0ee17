#include "ui/windows/camera_menu.h"

#include <QInputDialog>
#include <QKeyEvent>
#include <QSettings>
#include <algorithm>

#include "ui/actions/action_table.h"
#include "ui/document/document.h"
#include "ui/document/name_text.h"
#include "ui/document/text.h"
#include "ui/theme/theme.h"
#include "ui/viewport/view_cube.h"
#include "ui/viewport/viewport_widget.h"

namespace ck::ui {
namespace {

constexpr int kBookmarkKeys = 9;
const QString kTopRow = QStringLiteral("topRowIsKeypad");

// The keys that the keypad's digits are without Num Lock.
Qt::Key unlocked(Qt::Key digit) {
  switch (digit) {
    case Qt::Key_1:
      return Qt::Key_End;
    case Qt::Key_3:
      return Qt::Key_PageDown;
    case Qt::Key_7:
      return Qt::Key_Home;
    default:
      return Qt::Key_Clear;
  }
}

}  // namespace

CameraMenu::CameraMenu(ActionTable& actions, Document& document, ViewportWidget& viewport,
                       QWidget* parent)
    : QMenu(tr("&Camera"), parent),
      document_(document),
      viewport_(viewport),
      go_(new QMenu(tr("&Go to bookmark"), this)),
      set_(new QMenu(tr("Set boo&kmark to this view"), this)),
      rename_(new QMenu(tr("Re&name bookmark"), this)),
      delete_(new QMenu(tr("&Delete bookmark"), this)) {
  setToolTipsVisible(true);
  addViews(actions);
  addSeparator();
  addBookmarks(actions);
  addSeparator();
  addOptions(actions);
  parent->window()->installEventFilter(this);
}

// Keys come here from the widget with the focus, which does not want them.
bool CameraMenu::eventFilter(QObject* watched, QEvent* event) {
  const bool comes = event->type() == QEvent::ShortcutOverride;
  if (comes || event->type() == QEvent::KeyPress) {
    const auto& key = *static_cast<QKeyEvent*>(event);
    QAction* view = key.modifiers() & Qt::ControlModifier ? viewport_.keypadAction(key) : nullptr;
    if (view) {
      if (!comes) view->trigger();
      event->accept();
      return true;
    }
  }
  return QMenu::eventFilter(watched, event);
}

void CameraMenu::addViews(ActionTable& actions) {
  const auto keysOf = [](Qt::Key digit, Qt::KeyboardModifiers modifiers) {
    const int held = int(modifiers | Qt::KeypadModifier);
    return inView(QList<QKeySequence>{held | int(digit), held | int(unlocked(digit))});
  };
  const auto take = [this](QAction* action, Qt::Key digit) {
    action->setData(int(digit));
    views_ << action;
  };
  QAction* flat = actions.addSwitch(*this, {"camera.orthographic", tr("&Orthographic"),
                                            tr("Show everything at one scale, without perspective"),
                                            keysOf(Qt::Key_5, Qt::NoModifier)});
  take(flat, Qt::Key_5);
  connect(flat, &QAction::triggered, this, [this](bool on) {
    render::Camera camera = viewport_.destination();
    camera.orthographic = on;
    viewport_.goTo(camera);
  });
  const auto show = [this, flat] { flat->setChecked(viewport_.destination().orthographic); };
  connect(&viewport_, &ViewportWidget::cameraMoved, flat, show);
  show();
  addSeparator();
  const auto addView = [&](const char* id, const QString& text, const QString& tip, Qt::Key digit,
                           Qt::KeyboardModifiers modifiers, const glm::dvec3& direction) {
    take(actions.add(*this, {id, text, tip, keysOf(digit, modifiers), nullptr,
                             [this, direction] {
                               render::Camera camera = viewport_.destination();
                               render::lookAlong(camera, direction, 0.0);
                               viewport_.goTo(camera);
                             }}),
         digit);
  };
  addView("camera.front", tr("&Front"), tr("Look along -Z, at the faces of characters"), Qt::Key_1,
          Qt::NoModifier, {0, 0, 1});
  addView("camera.back", tr("&Back"), tr("Look along +Z"), Qt::Key_1, Qt::ControlModifier,
          {0, 0, -1});
  addView("camera.right", tr("&Right"), tr("Look along -X, from the right of the front view"),
          Qt::Key_3, Qt::NoModifier, {1, 0, 0});
  addView("camera.left", tr("&Left"), tr("Look along +X"), Qt::Key_3, Qt::ControlModifier,
          {-1, 0, 0});
  addView("camera.top", tr("&Top"), tr("Look straight down"), Qt::Key_7, Qt::NoModifier, {0, 1, 0});
  addView("camera.bottom", tr("Botto&m"), tr("Look straight up"), Qt::Key_7, Qt::ControlModifier,
          {0, -1, 0});
}

void CameraMenu::addBookmarks(ActionTable& actions) {
  actions.add(*this, {"camera.addBookmark", tr("&Add bookmark..."),
                      tr("Keep this view in the project under a name"), tr("Ctrl+Alt+B"),
                      "bookmark", [this] { askBookmark(); }});
  for (QMenu* menu : {go_, set_, rename_, delete_}) {
    menu->setToolTipsVisible(true);
    addMenu(menu);
  }
  connect(&document_, &Document::changed, this, [this](const Project& before, const Project& now) {
    if (before.desk.bookmarks != now.desk.bookmarks) fillBookmarks();
  });
  fillBookmarks();
}

void CameraMenu::addOptions(ActionTable& actions) {
  QAction* smooth =
      actions.addSwitch(*this, {"camera.smooth", tr("&Smooth changes"),
                                tr("Views change in 150 ms; off, they change at once")});
  smooth->setChecked(!reducesMotion());
  connect(smooth, &QAction::toggled, this, [](bool on) { setReducesMotion(!on); });
  QAction* topRow = actions.addSwitch(
      *this, {"camera.topRow", tr("Digits as ke&ypad"),
              tr("The digits above the letters give the views as well, for keyboards without "
                 "a keypad")});
  topRow->setChecked(QSettings().value(kTopRow, false).toBool());
  connect(topRow, &QAction::toggled, this, [this](bool on) {
    QSettings().setValue(kTopRow, on);
    useTopRow(on);
  });
  useTopRow(topRow->isChecked());
}

// Ctrl and a digit of the top row shows a panel, so the opposite views have the keypad alone.
void CameraMenu::useTopRow(bool use) {
  for (QAction* action : views_) {
    QList<QKeySequence> keys = action->shortcuts();
    const QKeySequence digit(action->data().toInt());
    keys.removeAll(digit);
    const bool bare = !(keys.front()[0].keyboardModifiers() & Qt::ControlModifier);
    if (use && bare) keys << digit;
    action->setShortcuts(keys);
  }
}

const std::vector<CameraBookmark>& CameraMenu::bookmarks() const {
  return document_.project().desk.bookmarks;
}

void CameraMenu::edit(const QString& text,
                      const std::function<void(std::vector<CameraBookmark>&)>& change) {
  document_.endMerge();
  document_.edit(text, [&](Project& project) { change(project.desk.bookmarks); });
}

void CameraMenu::fillBookmarks() {
  for (QMenu* menu : {go_, set_, rename_, delete_}) {
    menu->clear();
    menu->setEnabled(!bookmarks().empty());
    menu->menuAction()->setToolTip(bookmarks().empty() ? tr("There are no bookmarks; add one first")
                                                       : QString());
  }
  const auto entry = [](QMenu& menu, const QString& text, const QString& tip, int number,
                        Qt::KeyboardModifiers modifiers, auto run) {
    QAction* action = menu.addAction(text);
    action->setToolTip(tip);
    action->setStatusTip(tip);
    if (modifiers != Qt::NoModifier && number < kBookmarkKeys) {
      action->setShortcut(QKeySequence(int(modifiers) | (int(Qt::Key_1) + number)));
    }
    connect(action, &QAction::triggered, &menu, run);
  };
  for (int i = 0; i < int(bookmarks().size()); ++i) {
    QString title = nameText(bookmarks()[std::size_t(i)].title);
    title.replace(QLatin1Char('&'), QLatin1String("&&"));
    entry(*go_, title, tr("Go to this view"), i, Qt::AltModifier, [this, i] { goToBookmark(i); });
    entry(*set_, title, tr("Let this bookmark keep the view of now"), i,
          Qt::ControlModifier | Qt::AltModifier, [this, i] { setBookmark(i); });
    entry(*rename_, tr("%1...").arg(title), tr("Give this bookmark another name"), i,
          Qt::NoModifier, [this, i] {
            askTitle(tr("Rename bookmark"), textOf(bookmarks()[std::size_t(i)].title),
                     [this, i](const QString& name) { renameBookmark(i, name); });
          });
    entry(*delete_, title, tr("Remove this bookmark"), i, Qt::NoModifier,
          [this, i] { deleteBookmark(i); });
  }
}

void CameraMenu::askTitle(const QString& heading, const QString& title,
                          const std::function<void(const QString&)>& use) {
  delete dialog_;
  dialog_ = new QInputDialog(window());
  dialog_->setAttribute(Qt::WA_DeleteOnClose);
  dialog_->setWindowTitle(heading);
  dialog_->setLabelText(tr("&Name"));
  dialog_->setTextValue(title);
  connect(dialog_, &QInputDialog::textValueSelected, this, [use](const QString& text) {
    if (!text.trimmed().isEmpty()) use(text.trimmed());
  });
  dialog_->open();
}

void CameraMenu::askBookmark() {
  const CameraPlace place = viewport_.cameraPlace();
  askTitle(tr("Add bookmark"), tr("View %1").arg(bookmarks().size() + 1),
           [this, place](const QString& title) {
             edit(tr("Add bookmark"), [&](std::vector<CameraBookmark>& all) {
               all.push_back({utf8Of(title), place});
             });
           });
}

void CameraMenu::goToBookmark(int number) {
  if (number < 0 || number >= int(bookmarks().size())) return;
  viewport_.goTo(cameraAt(bookmarks()[std::size_t(number)].camera));
}

void CameraMenu::setBookmark(int number) {
  const CameraPlace place = viewport_.cameraPlace();
  edit(tr("Set bookmark"), [&](std::vector<CameraBookmark>& all) {
    if (std::size_t(number) < all.size()) all[std::size_t(number)].camera = place;
  });
}

void CameraMenu::renameBookmark(int number, const QString& title) {
  edit(tr("Rename bookmark"), [&](std::vector<CameraBookmark>& all) {
    if (std::size_t(number) < all.size()) all[std::size_t(number)].title = utf8Of(title);
  });
}

void CameraMenu::deleteBookmark(int number) {
  edit(tr("Delete bookmark"), [&](std::vector<CameraBookmark>& all) {
    if (std::size_t(number) < all.size()) all.erase(all.begin() + number);
  });
}

}  // namespace ck::ui

#include <QAbstractItemView>
#include <QAccessible>
#include <QAction>
#include <QActionGroup>
#include <QCheckBox>
#include <QColorDialog>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QDragEnterEvent>
#include <QFile>
#include <QFileDialog>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QScrollArea>
#include <QSet>
#include <QSettings>
#include <QSlider>
#include <QStatusBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QToolBar>
#include <QToolButton>
#include <QWidgetAction>

#include "tests/support/test_program.h"
#include "tests/ui/window_stage.h"
#include "ui/start/drop_overlay.h"

using namespace ck::ui;
using ck::test::kPatienceMs;
using ck::test::sample;
using ck::test::WindowStage;

// Prints all that the running editor offers and compares it with tests/data/inventory/editor.txt:
// menus, keys, fields, columns, dialogs, file endings, keys of the project file and of the
// settings. A line that is lost or new fails until the kept list says so too; scripts/inventory.sh
// writes it.
namespace {

QString words(QString text) {
  text.remove(QLatin1Char('&'));
  return text.section(QLatin1Char('\t'), 0, 0).simplified();
}

// As a screen reader says it; of a box with choices not what is chosen.
QString nameOf(QWidget& widget) {
  QString label;
  for (const QLabel* one : widget.window()->findChildren<QLabel*>()) {
    const QWidget* buddy = one->buddy();
    if (buddy && (buddy == &widget || buddy->focusProxy() == &widget)) label = one->text();
  }
  QAccessibleInterface* access =
      qobject_cast<QComboBox*>(&widget) ? nullptr : QAccessible::queryAccessibleInterface(&widget);
  for (const QString& name :
       {widget.accessibleName(), label, access ? access->text(QAccessible::Name) : QString(),
        widget.toolTip(), widget.objectName()}) {
    if (!name.isEmpty()) return words(name);
  }
  return {};
}

QString number(double value) {
  return QString::number(value, 'g', 9);
}

QString rangeOf(const QWidget& widget) {
  if (const auto* box = qobject_cast<const QSpinBox*>(&widget)) {
    return QStringLiteral("%1 to %2%3").arg(box->minimum()).arg(box->maximum()).arg(box->suffix());
  }
  const auto* box = qobject_cast<const QDoubleSpinBox*>(&widget);
  return box ? number(box->minimum()) + " to " + number(box->maximum()) + box->suffix() : QString();
}

// Widgets that other controls are made of.
bool isPart(const QWidget& widget, const QWidget& root) {
  const bool ofQt = widget.objectName().startsWith("qt_");
  if (ofQt || widget.inherits("QScrollBar") || widget.inherits("QMenu")) return true;
  for (const QWidget* up = widget.parentWidget(); up && up != &root; up = up->parentWidget()) {
    for (const char* whole : {"QAbstractSpinBox", "QComboBox", "QAbstractItemView", "QLineEdit",
                              "QScrollBar", "QMenu"}) {
      if (up->inherits(whole)) return true;
    }
  }
  return false;
}

QStringList columnsOf(const QAbstractItemView& view) {
  QStringList columns;
  const QAbstractItemModel* model = view.model();
  for (int i = 0; model && i < model->columnCount(); ++i) {
    QString title = model->headerData(i, Qt::Horizontal).toString();
    if (title.isEmpty()) title = model->headerData(i, Qt::Horizontal, Qt::ToolTipRole).toString();
    columns << words(title);
  }
  return columns;
}

// "number Seed: 0 to 99", or nothing where the widget is no control.
QString described(QWidget& widget) {
  const QString name = nameOf(widget);
  if (const auto* box = qobject_cast<const QComboBox*>(&widget)) {
    QStringList entries;
    for (int i = 0; i < box->count(); ++i) entries << words(box->itemText(i));
    return "choice " + name + ": " + entries.join(" | ");
  }
  if (widget.inherits("QAbstractSpinBox")) return "number " + name + ": " + rangeOf(widget);
  if (const auto* button = qobject_cast<const QAbstractButton*>(&widget)) {
    return (button->isCheckable() ? "tick " : "button ") + name;
  }
  if (qobject_cast<const QLineEdit*>(&widget)) return "text " + name;
  if (widget.inherits("QAbstractSlider")) return "slider " + name;
  if (const auto* view = qobject_cast<const QAbstractItemView*>(&widget)) {
    return "table " + name + ": " + columnsOf(*view).join(" | ");
  }
  const bool area = widget.focusPolicy() != Qt::NoFocus && !widget.accessibleName().isEmpty();
  return area ? "area " + name : QString();
}

QString tickOf(const QAction& action) {
  if (!action.isCheckable()) return {};
  const QActionGroup* group = action.actionGroup();
  const bool one = group && group->exclusionPolicy() != QActionGroup::ExclusionPolicy::None;
  return one ? " (choice)" : " (tick)";
}

QStringList menuLines(const QMenu& menu, const QString& path) {
  QStringList lines;
  QString heading;
  for (QAction* action : menu.actions()) {
    const auto* made = qobject_cast<const QWidgetAction*>(action);
    if (const auto* label = made ? qobject_cast<const QLabel*>(made->defaultWidget()) : nullptr) {
      heading = " > " + words(label->text());
    } else if (action->menu()) {
      lines << menuLines(*action->menu(), path + heading + " > " + words(action->text()));
    } else if (!action->isSeparator()) {
      lines << path + heading + " > " + words(action->text()) + tickOf(*action);
    }
  }
  return lines;
}

// "actors.clip[]", for every value.
void addKeys(const QJsonValue& value, const QString& path, QStringList& lines) {
  if (value.isObject()) {
    const QJsonObject object = value.toObject();
    for (const QString& key : object.keys()) {
      addKeys(object[key], path.isEmpty() ? key : path + "." + key, lines);
    }
  } else if (value.isArray() && !value.toArray().isEmpty()) {
    for (const QJsonValue& entry : value.toArray()) addKeys(entry, path + "[]", lines);
  } else {
    lines << "project key " + path;
  }
}

QStringList controlLines(QWidget& root, const QString& room) {
  QStringList lines;
  for (QWidget* widget : root.findChildren<QWidget*>()) {
    const QString line = isPart(*widget, root) ? QString() : described(*widget);
    if (!line.isEmpty()) lines << room + " > " + line;
  }
  return lines;
}

QStringList dialogLines(QDialog& dialog, const QString& path) {
  if (const auto* file = qobject_cast<const QFileDialog*>(&dialog)) {
    return {path + ": " + file->windowTitle() + ", " + file->nameFilters().join(", ")};
  }
  if (qobject_cast<QColorDialog*>(&dialog)) return {path + ": " + words(dialog.windowTitle())};
  return QStringList{path + ": " + words(dialog.windowTitle())} + controlLines(dialog, path);
}

}  // namespace

class tst_inventory : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QVERIFY(stage_.open());
    MainWindow& window = *stage_.window;
    window.document().markSaved({});
    window.files().open({QStringLiteral(CK_SOURCE_DIR "/tests/data/inventory/everything.crowd")});
    const auto ready = [&] {
      return window.document().project().actors.size() == 4 && !window.tasks().isBusy() &&
             window.session().atlas(0);
    };
    QVERIFY(QTest::qWaitFor(ready, kPatienceMs));
    window.playback().setPlaying(false);
    window.session().bakeNow(0);
    QTRY_COMPARE_WITH_TIMEOUT(window.session().bakeState(0), BakeState::UpToDate, kPatienceMs);
  }

  void nothingIsLost() {
    MainWindow& window = *stage_.window;
    QVERIFY(stage_.activate());
    window.selection().set({0, 1});
    for (const QAction* action : window.menuBar()->actions()) {
      found_ << menuLines(*action->menu(), "menu " + words(action->text()));
    }
    addShortcuts();
    addRooms();
    stage_.viewport->hide();  // pictures take most of the time
    addDialogs();
    addContextMenus();
    addDrops();
    addSavedProject();
    stage_.close();
    for (const QString& key : QSettings().allKeys()) found_ << "settings key " + key;
    compare();
  }

 private:
  void addShortcuts() {
    for (QAction* action : stage_.window->findChildren<QAction*>()) {
      for (const QKeySequence& key : action->shortcuts()) {
        QString name = words(action->text());
        for (QObject* up = action->parent(); name.isEmpty() && up; up = up->parent()) {
          if (auto* dock = qobject_cast<QDockWidget*>(up)) name = "panel " + dock->windowTitle();
        }
        const bool local = action->shortcutContext() == Qt::WidgetWithChildrenShortcut;
        found_ << "key " + key.toString(QKeySequence::PortableText) + (local ? " (local)" : "") +
                      " > " + name;
      }
    }
  }

  void addRooms() {
    MainWindow& window = *stage_.window;
    for (QDockWidget* dock : window.findChildren<QDockWidget*>()) {
      found_ << controlLines(*dock->widget(), "panel " + words(dock->windowTitle()));
    }
    for (QToolBar* bar : window.findChildren<QToolBar*>()) {
      found_ << controlLines(*bar, "tool bar");
    }
    found_ << controlLines(*window.centralWidget(), "viewport");
    found_ << controlLines(*window.statusBar(), "status");
  }

  // Runs what opens a dialog and adds that, whether it returns at once or when the dialog is
  // closed.
  void addOpened(const QString& path, const std::function<void()>& run) {
    bool seen = false;
    QTimer poll;
    connect(&poll, &QTimer::timeout, this, [&] {
      for (QWidget* widget : QApplication::topLevelWidgets()) {
        auto* dialog = qobject_cast<QDialog*>(widget);
        if (!dialog || !dialog->isVisible() || seen) continue;
        seen = true;
        found_ << dialogLines(*dialog, "dialog " + path);
        dialog->reject();
      }
    });
    poll.start(10);
    run();
    QVERIFY2(QTest::qWaitFor([&] { return seen; }, kPatienceMs), qPrintable(path));
  }

  // Every command that ends in dots asks; so do those for a new project and for help.
  void addDialogs() {
    MainWindow& window = *stage_.window;
    window.document().edit("Changed", [](ck::Project& p) { p.randomSeed += 1; });
    const QList<QAction*> menus = window.menuBar()->actions();
    for (const QAction* menu : menus) {
      for (QAction* action : menu->menu()->actions()) {
        const bool asks = action->text().endsWith("...") || menu == menus.last() ||
                          action->shortcut() == QKeySequence(QKeySequence::New);
        if (!asks || action->isSeparator() || action->menu()) continue;
        QVERIFY2(action->isEnabled(), qPrintable(action->text()));
        addOpened(words(action->text()), [action] { action->trigger(); });
      }
    }
    auto* characters = window.findChild<QDockWidget*>("characters");
    characters->findChild<QTableView*>()->selectRow(2);
    for (const char* name :
         {"Edit masks", "Tint", "Add a variant of this character, without some of its meshes",
          "Choose the meshes that are shown of it"}) {
      for (auto* button : window.findChildren<QAbstractButton*>()) {
        if (nameOf(*button) == name) addOpened(name, [button] { button->click(); });
      }
    }
  }

  // Of every control that has one, and of the time line wherever it is clicked.
  void addContextMenus() {
    MainWindow& window = *stage_.window;
    auto* clips = window.findChild<QDockWidget*>("clips")->findChild<QAbstractItemView*>();
    clips->setCurrentIndex(clips->model()->index(0, 0));
    for (QDockWidget* dock : window.findChildren<QDockWidget*>()) {
      dock->show();
      dock->raise();
      for (QWidget* widget : dock->widget()->findChildren<QWidget*>()) {
        const bool typed = widget->inherits("QLineEdit") || widget->inherits("QAbstractSpinBox");
        if (typed || isPart(*widget, *dock->widget()) || described(*widget).isEmpty()) continue;
        // Widgets that are scrolled away get no events.
        for (QWidget* above = widget; above; above = above->parentWidget()) {
          if (auto* area = qobject_cast<QScrollArea*>(above)) area->ensureWidgetVisible(widget);
        }
        const bool marks = widget->inherits("ck::ui::TimelineRuler");
        for (int x = 1; x < widget->width(); x += marks ? 4 : widget->width()) {
          addContextMenu(*dock, *widget, QPoint(x, marks ? 22 : widget->height() / 2));
        }
      }
    }
    found_ << menuLines(*window.createPopupMenu(), "context menu of titles");
  }

  void addContextMenu(const QDockWidget& dock, QWidget& widget, const QPoint& place) {
    const auto take = [&] {
      auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
      if (!menu) return;
      found_ << menuLines(*menu,
                          "context menu " + words(dock.windowTitle()) + ", " + nameOf(widget));
      menu->close();
    };
    QTimer whileItHoldsUp;
    connect(&whileItHoldsUp, &QTimer::timeout, this, take);
    whileItHoldsUp.start(0);
    auto* scrolled = qobject_cast<QAbstractScrollArea*>(&widget);
    QContextMenuEvent event(QContextMenuEvent::Mouse, place, widget.mapToGlobal(place));
    QApplication::sendEvent(scrolled ? scrolled->viewport() : &widget, &event);
    take();
  }

  // Which files may be dropped on the window, and what can be done with a rig and with a project.
  void addDrops() {
    const auto isTaken = [this](const QMimeData& data) {
      QDragEnterEvent event(QPoint(), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
      QApplication::sendEvent(stage_.window, &event);
      return event.isAccepted() && event.dropAction() != Qt::IgnoreAction;
    };
    QMimeData data;
    for (const char* ending :
         {"glb", "gltf", "fbx", "dae", "md5mesh", "md5anim", "bvh", "x", "blend", "crowd", "iqm",
          "obj", "ckatlas", "json", "actors.json", "csv", "png", "exr"}) {
      data.setUrls({QUrl::fromLocalFile(QString("/nowhere/file.") + ending)});
      if (isTaken(data)) found_ << QString("drop *.") + ending;
    }
    for (const char* file : {"animal.glb", "meadow/meadow.crowd"}) {
      data.setUrls({QUrl::fromLocalFile(sample(file))});
      QVERIFY(isTaken(data));
      for (const auto& choice : stage_.window->viewportFrame().dropOverlay().choices()) {
        found_ << QString("dropped %1 > %2").arg(QFileInfo(file).suffix(), choice.title);
      }
    }
    QDragLeaveEvent leave;
    QApplication::sendEvent(stage_.window, &leave);
  }

  void addSavedProject() {
    QTemporaryDir folder;
    for (int i = 0; i < 2; ++i) QVERIFY(stage_.window->files().saveTo(folder.filePath("x.crowd")));
    QTRY_VERIFY_WITH_TIMEOUT(!stage_.window->tasks().isBusy(), kPatienceMs);
    for (const QString& file : QDir(folder.path()).entryList(QDir::Files, QDir::Name)) {
      found_ << "project file " + file;
    }
    QFile file(folder.filePath("x.crowd"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonObject root = QJsonDocument::fromJson(file.readAll()).object();
    addKeys(root, {}, found_);
    for (const char* key : {"format", "version", "minReader", "needs"}) {
      found_ << QString("project %1 %2").arg(key, root[key].toVariant().toString());
    }
  }

  void compare() {
    found_.removeDuplicates();
    QFile kept(QStringLiteral(CK_SOURCE_DIR "/tests/data/inventory/editor.txt"));
    if (qEnvironmentVariable("CK_INVENTORY") == "write") {
      QVERIFY(kept.open(QIODevice::WriteOnly));
      kept.write((found_.join('\n') + '\n').toUtf8());
      return;
    }
    QVERIFY(kept.open(QIODevice::ReadOnly));
    const QStringList lines = QString::fromUtf8(kept.readAll()).split('\n', Qt::SkipEmptyParts);
    QStringList differences;
    for (const QString& line : lines) {
      if (!found_.contains(line)) differences << "- " + line;
    }
    for (const QString& line : found_) {
      if (!lines.contains(line)) differences << "+ " + line;
    }
    QVERIFY2(differences.isEmpty(), qPrintable("\n" + differences.join('\n')));
  }

  WindowStage stage_;
  QStringList found_;
};

CK_TEST(tst_inventory, ck::test::EditorApplication)
#include "tst_inventory.moc"

#pragma once

#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QFile>
#include <QImage>
#include <QSettings>
#include <QSurfaceFormat>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <optional>

#include "core/base/log.h"
#include "tests/support/import_worker.h"
#include "tests/ui/desk.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_ruler.h"
#include "ui/viewport/gl_probe.h"
#include "ui/viewport/viewport_frame.h"
#include "ui/viewport/viewport_widget.h"
#include "ui/windows/main_window.h"

namespace ck::test {

inline QString humanoid() {
  return sample("humanoid.glb");
}

// Pixels that differ clearly between two pictures of one size.
inline int differences(const QImage& a, const QImage& b) {
  int count = 0;
  for (int y = 0; y < a.height(); ++y) {
    for (int x = 0; x < a.width(); ++x) {
      const QColor one = a.pixelColor(x, y);
      const QColor other = b.pixelColor(x, y);
      const int distance = std::abs(one.red() - other.red()) +
                           std::abs(one.green() - other.green()) +
                           std::abs(one.blue() - other.blue());
      count += distance > 24 ? 1 : 0;
    }
  }
  return count;
}

// Lets the windows of a test keep settings and pictures in a folder of its own.
inline void keepSettingsIn(const QTemporaryDir& folder) {
  useBuiltImportWorker();
  setLogToStderr(false);
  QCoreApplication::setOrganizationName("CrowdkilnTest");
  QSettings::setDefaultFormat(QSettings::IniFormat);
  QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder.path());
  qputenv("XDG_CACHE_HOME", folder.filePath("cache").toUtf8());
}

// While it lives, dialogs and menus are closed as they open: nothing is chosen.
class DialogCloser {
 public:
  explicit DialogCloser(int everyMs) {
    timer_.setInterval(everyMs);
    QObject::connect(&timer_, &QTimer::timeout, [] {
      if (QWidget* popup = QApplication::activePopupWidget()) popup->close();
      for (QWidget* widget : QApplication::topLevelWidgets()) {
        auto* dialog = qobject_cast<QDialog*>(widget);
        if (dialog && dialog->isVisible()) dialog->reject();
      }
    });
    timer_.start();
  }

 private:
  QTimer timer_;
};

// The whole editor with the bundled rig, baked and paused, and settings that are not saved.
struct WindowStage {
  bool open() {
    keepSettingsIn(settings);
    ui::setReducesMotion(true);  // a changed view is there at once
    const QString why = ui::whyNoOpenGl();
    if (!QFile::exists(humanoid()) || !why.isEmpty()) {
      qWarning("%s", qPrintable(why.isEmpty() ? humanoid() + " is not there" : why));
      return false;
    }
    window = new ui::MainWindow(why);
    window->show();
    if (!QTest::qWaitForWindowExposed(window)) return false;
    QApplication::setActiveWindow(window);
    window->files().open({humanoid()});
    const bool baked = QTest::qWaitFor(
        [this] { return window->session().atlas(0) && !window->tasks().isBusy(); }, kPatienceMs);
    window->playback().setPlaying(false);
    viewport = window->viewportFrame().viewport();
    return baked && viewport &&
           QTest::qWaitFor([this] { return viewport->frameMs() > 0.0; }, kPatienceMs);
  }

  // There is no window manager to do it.
  bool activate() {
    QApplication::setActiveWindow(window);
    return QTest::qWaitFor([this] { return window->isActiveWindow(); });
  }

  // The window's action with this text, or null.
  QAction* action(const QString& text) const {
    for (QAction* one : window->findChildren<QAction*>()) {
      if (one->text() == text) return one;
    }
    return nullptr;
  }

  void close() {
    delete window;
    window = nullptr;
  }

  QTemporaryDir settings;
  ui::MainWindow* window = nullptr;
  ui::ViewportWidget* viewport = nullptr;
};

// The application object as the editor makes it, for a test of its window.
class EditorApplication : public QApplication {
 public:
  EditorApplication(int& argc, char** argv) : QApplication(prepared(argc), argv) {
    ui::applyTheme(*this);
    ui::installTimelineAccessibility();
  }

 private:
  // Sets what Qt reads while the application object is made.
  static int& prepared(int& argc) {
    QApplication::setAttribute(Qt::AA_ShareOpenGLContexts);
    QSurfaceFormat::setDefaultFormat(ui::viewportFormat());
    return argc;
  }
};

}  // namespace ck::test

#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <QApplication>
#include <QBuffer>
#include <QScreen>
#include <QTimer>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>

#include "core/base/log.h"
#include "core/base/result.h"
#include "core/base/version.h"
#include "core/import/host/sandbox.h"
#include "core/system/files.h"
#include "core/system/memory_reserve.h"
#include "core/system/standard_streams.h"
#include "ui/document/autosave.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_ruler.h"
#include "ui/viewport/gl_probe.h"
#include "ui/viewport/viewport_frame.h"
#include "ui/viewport/viewport_widget.h"
#include "ui/windows/main_window.h"

namespace {

struct Options {
  std::vector<std::string> files;
  double frameTime = 0.0;
  std::string screenshot;
  double after = 3.0;
};

// Saves the window as shown on the screen and exits; the exit code is 0 if the image was written.
void takeScreenshot(ck::ui::MainWindow& window, const std::string& file) {
  QPixmap image = window.screen()->grabWindow(window.winId());
  if (image.isNull()) image = window.grab();
  QByteArray bytes;
  QBuffer buffer(&bytes);
  image.save(&buffer, "PNG");
  const auto saved = ck::writeFileAtomically(ck::pathFromText(file),
                                             std::as_bytes(std::span(bytes)), ck::Links::Follow);
  if (!saved) std::fprintf(stderr, "%s\n", saved.error().message.c_str());
  QCoreApplication::exit(saved ? 0 : 3);
}

// With a fixed clock, the image is taken at that time of the crowd's clock, else that many seconds
// after the start.
void planScreenshot(ck::ui::MainWindow& window, const Options& options) {
  if (options.frameTime <= 0.0) {
    QTimer::singleShot(int(options.after * 1000.0), &window,
                       [&window, file = options.screenshot] { takeScreenshot(window, file); });
    return;
  }
  ck::ui::Playback& playback = window.playback();
  QObject::connect(&playback, &ck::ui::Playback::timeChanged, &window, [&window, options] {
    ck::ui::Playback& clock = window.playback();
    const bool ready = window.session().hasRig() && !window.tasks().isBusy();
    if (!clock.isPlaying() || !ready || clock.timeSeconds() < options.after) return;
    clock.setPlaying(false);
    clock.seek(options.after);
    QTimer::singleShot(300, &window,
                       [&window, file = options.screenshot] { takeScreenshot(window, file); });
  });
}

void addOptions(CLI::App& arguments, Options& options) {
  arguments.set_version_flag("--version", std::string("crowdkiln ") + ck::version());
  arguments.add_option("FILE", options.files, "A project (.crowd), or a rig and files with clips");
  arguments
      .add_option("--frame-time", options.frameTime,
                  "Seconds of the crowd's clock for every tick, instead of real time")
      ->check(CLI::Range(0.0, 10.0));
  arguments.add_flag_callback("--require-sandbox", ck::requireSandbox,
                              "Read no file of others where this system cannot confine its reader");
  arguments.add_option("--screenshot", options.screenshot, "Save the window as a PNG and quit");
  arguments
      .add_option("--after", options.after,
                  "When to take the screenshot: seconds after the start, or with --frame-time of "
                  "the crowd's clock")
      ->check(CLI::Range(0.0, 3600.0));
}

// Whether the options request text output only, which needs no display. Other errors are reported
// after Qt has removed its own options.
bool answersWithoutDisplay(CLI::App& arguments, int argc, char** argv) {
  arguments.allow_extras();
  try {
    arguments.parse(argc, argv);
  } catch (const CLI::Success& text) {
    arguments.exit(text);
    return true;
  } catch (const CLI::ParseError&) {
  }
  arguments.allow_extras(false);
  return false;
}

constexpr int kNoDisplay = 5;  // the exit code for it, as that of kiln without graphics

void sayNoWindow(const QString& why) {
  std::fprintf(stderr,
               "crowdkiln: no window can be opened: %s; start it on a desktop, or use kiln, which "
               "needs no display\n",
               why.toUtf8().constData());
}

// Qt aborts where it finds no display, and this is called before it does.
void endWithoutDisplay(QtMsgType type, const QMessageLogContext& /*place*/, const QString& text) {
  if (type != QtFatalMsg) return;
  const QString asked = qEnvironmentVariable("QT_QPA_PLATFORM");
  const QString wayland = qEnvironmentVariable("WAYLAND_DISPLAY");
  const QString display = wayland.isEmpty() ? qEnvironmentVariable("DISPLAY") : wayland;
  QString why = QStringLiteral("the display '%1' cannot be reached").arg(display);
  if (display.isEmpty()) {
    why = QStringLiteral("neither DISPLAY nor WAYLAND_DISPLAY names a display");
  }
  const bool needsDisplay = asked.startsWith(QLatin1String("xcb"));
  if (needsDisplay && qEnvironmentVariable("DISPLAY").isEmpty()) {
    why = QStringLiteral("QT_QPA_PLATFORM asks for '%1', but DISPLAY names no display").arg(asked);
  } else if (needsDisplay) {
    why = QStringLiteral("the display '%1' cannot be reached").arg(qEnvironmentVariable("DISPLAY"));
  } else if (!asked.isEmpty()) {
    why =
        QStringLiteral("Qt cannot use the platform '%1' that QT_QPA_PLATFORM asks for").arg(asked);
  }
  if (!text.contains(QLatin1String("platform plugin"))) why = text;
  sayNoWindow(why);
  std::_Exit(kNoDisplay);
}

// Platforms that draw windows in memory, without OpenGL; a widget with OpenGL ends the program
// there.
bool drawsWithoutOpenGl(const QString& platform) {
  const QStringList all = {"offscreen", "minimal", "minimalegl", "linuxfb", "vnc"};
  return all.contains(platform);
}

// A handler that fails, as where memory is lacking, ends what it did and not the program: the work
// in the window can still be saved.
class Application : public QApplication {
 public:
  using QApplication::QApplication;
  bool notify(QObject* receiver, QEvent* event) override {
    ck::keepMemoryReserve("crowdkiln: ");
    try {
      return QApplication::notify(receiver, event);
    } catch (...) {
      const std::string message = ck::errorOfException().message;
      std::fprintf(stderr, "%s\n", message.c_str());
      ck::log().error("{}", message);
      return false;
    }
  }
};

int run(int argc, char** argv) {
  Options options;
  CLI::App arguments("Crowdkiln: bakes skinned clips into a texture and plays crowds from it.",
                     "crowdkiln");
  addOptions(arguments, options);
  if (answersWithoutDisplay(arguments, argc, argv)) return 0;
  // Without shared contexts, a docked panel that floats would lose the viewport's GL objects.
  QApplication::setAttribute(Qt::AA_ShareOpenGLContexts);
  QSurfaceFormat::setDefaultFormat(ck::ui::viewportFormat());
  qInstallMessageHandler(endWithoutDisplay);
  Application app(argc, argv);
  qInstallMessageHandler(nullptr);
  // Qt sets the user's locale; files are always written with decimal points.
  std::setlocale(LC_NUMERIC, "C");
  QCoreApplication::setOrganizationName(QStringLiteral("Crowdkiln"));
  QCoreApplication::setApplicationName(QStringLiteral("crowdkiln"));
  CLI11_PARSE(arguments, argc, argv);
  if (drawsWithoutOpenGl(QGuiApplication::platformName())) {
    sayNoWindow(QStringLiteral("the platform '%1' has no windows with OpenGL")
                    .arg(QGuiApplication::platformName()));
    return kNoDisplay;
  }

  ck::setLogLevel(ck::LogLine::Level::Info);
  ck::setLogToStderr(false);
  ck::ui::applyTheme(app);
  ck::ui::installTimelineAccessibility();
  ck::ui::MainWindow window(ck::ui::whyNoOpenGl());
  // Pictures for documents are taken of a window that keeps and offers nothing.
  if (options.screenshot.empty()) window.keepWorkIn(ck::ui::Autosave::usualRoot());
  window.playback().setFixedStep(options.frameTime);
  window.show();
  QStringList files;
  for (const std::string& file : options.files) files << QString::fromStdString(file);
  // Show the window first, so that the artist sees where the file is loaded.
  QTimer::singleShot(0, &window, [&window, files] {
    if (files.isEmpty()) {
      window.files().openAtStart();
    } else {
      window.files().open(files);
    }
  });
  if (!options.screenshot.empty()) {
    auto* view = window.findChild<ck::ui::ViewportWidget*>();
    if (view != nullptr) view->setDissolving(false);
    planScreenshot(window, options);
  }
  return QApplication::exec();
}

}  // namespace

int main(int argc, char** argv) {
  ck::holdStandardStreams();
  ck::keepMemoryReserve("crowdkiln: ");
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow makes the write fail
  try {
    return run(argc, argv);
  } catch (...) {
    std::fputs(ck::errorOfException().message.c_str(), stderr);
    std::fputc('\n', stderr);
    return EXIT_FAILURE;
  }
}

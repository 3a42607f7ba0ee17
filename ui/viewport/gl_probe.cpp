#include "ui/viewport/gl_probe.h"

#include <QCoreApplication>
#include <QGuiApplication>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QSurfaceFormat>
#include <utility>

namespace ck::ui {
namespace {

using Version = std::pair<int, int>;

// The newest first; those of HeadlessContext.
constexpr Version kVersions[] = {{4, 5}, {4, 1}, {3, 3}};
constexpr Version kOldest = {3, 3};

QSurfaceFormat formatOf(Version version) {
  QSurfaceFormat format;
  format.setVersion(version.first, version.second);
  format.setProfile(QSurfaceFormat::CoreProfile);
  format.setDepthBufferSize(24);
  format.setStencilBufferSize(8);
  format.setSamples(0);
  return format;
}

QString text(const char* words) {
  return QCoreApplication::translate("GlProbe", words);
}

// Why no context of that format can be used, or empty. Some platforms make an older one than was
// asked for.
QString whyNot(const QSurfaceFormat& format) {
  const QString platform = QGuiApplication::platformName();
  QOpenGLContext context;
  context.setFormat(format);
  if (!context.create()) {
    return text("No OpenGL context could be made on the platform \"%1\".").arg(platform);
  }
  QOffscreenSurface surface;
  surface.setFormat(context.format());
  surface.create();
  if (!surface.isValid() || !context.makeCurrent(&surface)) {
    return text("An OpenGL context was made but cannot be used on the platform \"%1\".")
        .arg(platform);
  }
  const Version got = {context.format().majorVersion(), context.format().minorVersion()};
  context.doneCurrent();
  if (got >= kOldest) return {};
  return text("The driver offers OpenGL %1.%2; the viewport needs %3.%4.")
      .arg(got.first)
      .arg(got.second)
      .arg(kOldest.first)
      .arg(kOldest.second);
}

}  // namespace

QSurfaceFormat viewportFormat() {
  return formatOf(kVersions[0]);
}

QString whyNoOpenGl() {
  const QString platform = QGuiApplication::platformName();
  // These have contexts for off-screen use only; a widget with OpenGL crashes on them.
  if (platform == QLatin1String("offscreen") || platform == QLatin1String("minimal")) {
    return text("The display platform \"%1\" has no OpenGL windows.").arg(platform);
  }
  QString refusal;
  for (const Version& version : kVersions) {
    const QSurfaceFormat format = formatOf(version);
    refusal = whyNot(format);
    if (!refusal.isEmpty()) continue;
    if (QSurfaceFormat::defaultFormat() != format) QSurfaceFormat::setDefaultFormat(format);
    return {};
  }
  return refusal;
}

}  // namespace ck::ui

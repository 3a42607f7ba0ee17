#include "ui/viewport/gl_probe.h"

#include <QCoreApplication>
#include <QGuiApplication>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QSurfaceFormat>

namespace ck::ui {

QSurfaceFormat viewportFormat() {
  QSurfaceFormat format;
  format.setVersion(4, 5);
  format.setProfile(QSurfaceFormat::CoreProfile);
  format.setDepthBufferSize(24);
  format.setStencilBufferSize(8);
  format.setSamples(0);
  return format;
}

QString whyNoOpenGl() {
  const auto text = [](const char* words) { return QCoreApplication::translate("GlProbe", words); };
  const QString platform = QGuiApplication::platformName();
  // These have contexts for off-screen use only; a widget with OpenGL crashes on them.
  if (platform == QLatin1String("offscreen") || platform == QLatin1String("minimal")) {
    return text("The display platform \"%1\" has no OpenGL windows.").arg(platform);
  }
  QOpenGLContext context;
  context.setFormat(viewportFormat());
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
  const QSurfaceFormat got = context.format();
  context.doneCurrent();
  if (got.version() < qMakePair(4, 5)) {
    return text("The driver offers OpenGL %1.%2; the viewport needs 4.5.")
        .arg(got.majorVersion())
        .arg(got.minorVersion());
  }
  return {};
}

}  // namespace ck::ui

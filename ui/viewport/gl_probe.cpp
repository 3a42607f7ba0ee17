#include "ui/viewport/gl_probe.h"

#include <QCoreApplication>
#include <QGuiApplication>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QSurfaceFormat>

#include "render/gl/context.h"

namespace ck::ui {
namespace {

using render::GlVersion;

QSurfaceFormat formatOf(GlVersion version) {
  QSurfaceFormat format;
  format.setVersion(version.major, version.minor);
  format.setProfile(QSurfaceFormat::CoreProfile);
  format.setDepthBufferSize(24);
  format.setStencilBufferSize(8);
  format.setSamples(0);
  return format;
}

QString text(const char* words) {
  return QCoreApplication::translate("GlProbe", words);
}

// Why no context of that format can be used, or empty. Some platforms create an older version than
// requested.
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
  const GlVersion got = {context.format().majorVersion(), context.format().minorVersion()};
  context.doneCurrent();
  if (got >= render::kOldestGl) return {};
  return text("The driver offers OpenGL %1.%2; the viewport needs %3.%4.")
      .arg(got.major)
      .arg(got.minor)
      .arg(render::kOldestGl.major)
      .arg(render::kOldestGl.minor);
}

}  // namespace

QSurfaceFormat viewportFormat() {
  return formatOf(render::kGlVersions[0]);
}

QString whyNoOpenGl() {
  const QString platform = QGuiApplication::platformName();
  // These platforms have contexts for off-screen use only; a widget with OpenGL crashes on them.
  if (platform == QLatin1String("offscreen") || platform == QLatin1String("minimal")) {
    return text("The display platform \"%1\" has no OpenGL windows.").arg(platform);
  }
  QString refusal;
  for (const GlVersion& version : render::kGlVersions) {
    const QSurfaceFormat format = formatOf(version);
    refusal = whyNot(format);
    if (!refusal.isEmpty()) continue;
    if (QSurfaceFormat::defaultFormat() != format) QSurfaceFormat::setDefaultFormat(format);
    return {};
  }
  return refusal;
}

}  // namespace ck::ui

#pragma once

#include <QString>

class QSurfaceFormat;

namespace ck::ui {

// The preferred format of the viewport: OpenGL 4.5 core (4.6 fails on EGL with Mesa 22), depth 24,
// no multisampling.
QSurfaceFormat viewportFormat();

// Tests whether a context can be created: 4.5 if the driver supports it, else 4.1 or 3.3, which is
// sufficient for every method. The format that works becomes Qt's default, which the viewport uses.
// Must be called before the first QOpenGLWidget exists: on a platform without OpenGL that widget
// crashes. Returns an empty string, or the reason.
QString whyNoOpenGl();

}  // namespace ck::ui

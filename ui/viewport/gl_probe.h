#pragma once

#include <QString>

class QSurfaceFormat;

namespace ck::ui {

// What the viewport asks for: 4.5 core (4.6 fails on EGL with Mesa 22), depth 24, no multisampling.
QSurfaceFormat viewportFormat();

// Makes a context and throws it away. Must be asked before the first QOpenGLWidget exists: on a
// platform without OpenGL that widget crashes and cannot be caught. Empty where all is well, else
// the reason for people.
QString whyNoOpenGl();

}  // namespace ck::ui

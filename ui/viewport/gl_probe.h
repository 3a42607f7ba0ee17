#pragma once

#include <QString>

class QSurfaceFormat;

namespace ck::ui {

// What the viewport would like best: 4.5 core (4.6 fails on EGL with Mesa 22), depth 24, no
// multisampling.
QSurfaceFormat viewportFormat();

// Makes a context and throws it away: 4.5 where the driver has it, else 4.1 or 3.3, which every
// method draws on. The format that worked becomes Qt's default one, which the viewport takes. Must
// be asked before the first QOpenGLWidget exists: on a platform without OpenGL that widget crashes
// and cannot be caught. Empty where all is well, else the reason for people.
QString whyNoOpenGl();

}  // namespace ck::ui

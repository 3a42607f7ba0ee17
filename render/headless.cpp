#include "render/headless.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <fmt/format.h>

#include "render/gl/context.h"

namespace ck::render {
namespace {

tl::unexpected<Error> refused(const char* step) {
  return fail(ErrorCode::NoGraphics,
              fmt::format("no OpenGL without a window: {} failed (EGL error 0x{:04x}); a Mesa "
                          "driver with EGL is needed",
                          step, eglGetError()));
}

// Creates the newest core context of kGlVersions that the driver supports.
EGLContext newestContext(EGLDisplay display, EGLConfig config, bool debug) {
  for (const GlVersion& version : kGlVersions) {
    const EGLint wanted[] = {EGL_CONTEXT_MAJOR_VERSION,
                             version.major,
                             EGL_CONTEXT_MINOR_VERSION,
                             version.minor,
                             EGL_CONTEXT_OPENGL_PROFILE_MASK,
                             EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                             EGL_CONTEXT_OPENGL_DEBUG,
                             debug ? EGL_TRUE : EGL_FALSE,
                             EGL_NONE};
    const EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, wanted);
    if (context != EGL_NO_CONTEXT) return context;
  }
  return EGL_NO_CONTEXT;
}

}  // namespace

Result<std::unique_ptr<HeadlessContext>> HeadlessContext::make(bool debug) {
  EGLDisplay display =
      eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
  if (display == EGL_NO_DISPLAY) return refused("opening the surfaceless display");
  EGLint major = 0;
  EGLint minor = 0;
  if (eglInitialize(display, &major, &minor) != EGL_TRUE) return refused("starting EGL");
  if (eglBindAPI(EGL_OPENGL_API) != EGL_TRUE) return refused("choosing OpenGL");
  const EGLint wanted[] = {EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
  EGLConfig config = nullptr;
  EGLint count = 0;
  if (eglChooseConfig(display, wanted, &config, 1, &count) != EGL_TRUE || count == 0) {
    return refused("choosing a pixel format");
  }
  EGLContext context = newestContext(display, config, debug);
  if (context == EGL_NO_CONTEXT) return refused("making a core context of 3.3 or newer");
  if (eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context) != EGL_TRUE) {
    eglDestroyContext(display, context);
    return refused("using a context without a surface");
  }
  if (debug) logGlMessages();
  return std::unique_ptr<HeadlessContext>(new HeadlessContext(display, context));
}

// The display is not terminated: EGL has one per process, and other contexts may use it.
HeadlessContext::~HeadlessContext() {
  eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  eglDestroyContext(display_, context_);
}

}  // namespace ck::render

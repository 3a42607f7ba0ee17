#include "render/headless.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <errno.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstring>
#include <iterator>

#include "core/system/free_memory.h"
#include "render/gl/context.h"

namespace ck::render {
namespace {

tl::unexpected<Error> refused(const char* step) {
  return fail(ErrorCode::NoGraphics,
              fmt::format("no OpenGL without a window: {} failed (EGL error 0x{:04x}); a Mesa "
                          "driver with EGL is needed",
                          step, eglGetError()));
}

// Drivers that get no memory may crash instead of saying so. With less than this a crash is taken
// for that.
constexpr std::uint64_t kScarceBytes = std::uint64_t{2} << 30;
constexpr int kCrashes[] = {SIGSEGV, SIGBUS, SIGABRT};

char crashSentence[160];
std::atomic<int> crashesExpected = 0;  // contexts that live

// Calls nothing that a signal handler may not call.
void endByCrash(int) {
  constexpr int kNoGraphics = 5;  // docs/cli.md
  [[maybe_unused]] const auto said =
      ::write(STDERR_FILENO, crashSentence, std::strlen(crashSentence));
  ::_exit(kNoGraphics);
}

bool expectCrashes() {
  const std::uint64_t free = freeMemoryBytes();
  if (free >= kScarceBytes) return false;
  *fmt::format_to_n(crashSentence, std::size(crashSentence) - 1,
                    "{}: the graphics driver has failed; it probably needs more memory than the "
                    "{} MB that were free\n",
                    program_invocation_short_name, free / 1'000'000)
       .out = '\0';
  ++crashesExpected;
  for (const int crash : kCrashes) {
    struct sigaction before = {};
    // A sanitizer or a test program that watches for crashes goes on doing so.
    if (::sigaction(crash, nullptr, &before) == 0 && before.sa_handler == SIG_DFL) {
      std::signal(crash, endByCrash);
    }
  }
  return true;
}

void expectNoCrashes() {
  if (--crashesExpected > 0) return;
  for (const int crash : kCrashes) {
    struct sigaction now = {};
    if (::sigaction(crash, nullptr, &now) == 0 && now.sa_handler == endByCrash) {
      std::signal(crash, SIG_DFL);
    }
  }
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
  auto made = std::unique_ptr<HeadlessContext>(new HeadlessContext);
  made->expectsCrashes_ = expectCrashes();
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
  made->display_ = display;
  made->context_ = context;
  if (debug) logGlMessages();
  return made;
}

// The display is not terminated: EGL has one per process, and other contexts may use it.
HeadlessContext::~HeadlessContext() {
  if (context_ != nullptr) {
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(display_, context_);
  }
  if (expectsCrashes_) expectNoCrashes();
}

}  // namespace ck::render

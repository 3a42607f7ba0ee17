#include "render/gl/handle.h"

#include <epoxy/gl.h>

#include <atomic>
#include <cstddef>
#include <utility>

#include "core/base/assert.h"

namespace ck::render {
namespace {

std::atomic<int> liveObjects = 0;

// Indexed by GlKind. The functions are resolved by their first call, so they are looked up in each.
unsigned generateName(GlKind kind) {
  void (*const generators[])(GLsizei, GLuint*) = {glGenBuffers,       glGenTextures,
                                                  glGenVertexArrays,  glGenFramebuffers,
                                                  glGenRenderbuffers, glGenQueries};
  CK_ASSERT(kind != GlKind::Shader && kind != GlKind::Program);
  GLuint name = 0;
  generators[static_cast<std::size_t>(kind)](1, &name);
  return name;
}

void deleteName(GlKind kind, GLuint name) {
  if (kind == GlKind::Shader) return glDeleteShader(name);
  if (kind == GlKind::Program) return glDeleteProgram(name);
  void (*const deleters[])(GLsizei, const GLuint*) = {glDeleteBuffers,       glDeleteTextures,
                                                      glDeleteVertexArrays,  glDeleteFramebuffers,
                                                      glDeleteRenderbuffers, glDeleteQueries};
  deleters[static_cast<std::size_t>(kind)](1, &name);
}

}  // namespace

GlHandle::GlHandle(GlKind kind, unsigned name) : kind_(kind), name_(name) {
  if (name_ != 0) ++liveObjects;
}

GlHandle GlHandle::generate(GlKind kind) {
  return GlHandle(kind, generateName(kind));
}

GlHandle::~GlHandle() {
  release();
}

GlHandle::GlHandle(GlHandle&& other) noexcept
    : kind_(other.kind_), name_(std::exchange(other.name_, 0)) {}

GlHandle& GlHandle::operator=(GlHandle&& other) noexcept {
  if (this != &other) {
    release();
    kind_ = other.kind_;
    name_ = std::exchange(other.name_, 0);
  }
  return *this;
}

void GlHandle::release() {
  if (name_ == 0) return;
  deleteName(kind_, name_);
  name_ = 0;
  --liveObjects;
}

int liveGlObjects() {
  return liveObjects;
}

}  // namespace ck::render

#include "render/gl/handle.h"

#include <epoxy/gl.h>

#include <atomic>
#include <utility>

namespace ck::render {
namespace {

std::atomic<int> liveObjects = 0;

unsigned generateName(GlKind kind) {
  GLuint name = 0;
  switch (kind) {
    case GlKind::Buffer:
      glGenBuffers(1, &name);
      break;
    case GlKind::Texture:
      glGenTextures(1, &name);
      break;
    case GlKind::VertexArray:
      glGenVertexArrays(1, &name);
      break;
    case GlKind::Framebuffer:
      glGenFramebuffers(1, &name);
      break;
    case GlKind::Renderbuffer:
      glGenRenderbuffers(1, &name);
      break;
    case GlKind::Query:
      glGenQueries(1, &name);
      break;
    case GlKind::Shader:
    case GlKind::Program:
      break;
  }
  return name;
}

void deleteName(GlKind kind, GLuint name) {
  switch (kind) {
    case GlKind::Buffer:
      glDeleteBuffers(1, &name);
      break;
    case GlKind::Texture:
      glDeleteTextures(1, &name);
      break;
    case GlKind::VertexArray:
      glDeleteVertexArrays(1, &name);
      break;
    case GlKind::Framebuffer:
      glDeleteFramebuffers(1, &name);
      break;
    case GlKind::Renderbuffer:
      glDeleteRenderbuffers(1, &name);
      break;
    case GlKind::Query:
      glDeleteQueries(1, &name);
      break;
    case GlKind::Shader:
      glDeleteShader(name);
      break;
    case GlKind::Program:
      glDeleteProgram(name);
      break;
  }
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

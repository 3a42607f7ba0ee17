#include "tests/support/gl_draw_count.h"

#include <epoxy/gl.h>

#include "core/base/assert.h"

namespace ck::test {
namespace {

bool counting = false;
int counted = 0;

// One of epoxy's pointers while calls through it are counted. What it holds at first looks the
// function up when it is called and calls it through the pointer.
template <class Function>
class Tap {
 public:
  Tap(Function& pointer, Function counter) : pointer_(pointer), counter_(counter) {}

  void open() {
    behind_ = pointer_;
    pointer_ = counter_;
  }
  void close() { pointer_ = behind_; }

  template <class... Arguments>
  void pass(Arguments... arguments) {
    ++counted;
    close();
    pointer_(arguments...);
    open();
  }

 private:
  Function& pointer_;
  Function counter_;
  Function behind_ = nullptr;
};

void countInstanced(GLenum mode, GLsizei count, GLenum type, const void* indices,
                    GLsizei instances);
void countBaseVertex(GLenum mode, GLsizei count, GLenum type, const void* indices,
                     GLsizei instances, GLint baseVertex);
void countIndirect(GLenum mode, GLenum type, const void* indirect, GLsizei draws, GLsizei stride);

Tap instancedTap(epoxy_glDrawElementsInstanced, &countInstanced);
Tap baseVertexTap(epoxy_glDrawElementsInstancedBaseVertex, &countBaseVertex);
Tap indirectTap(epoxy_glMultiDrawElementsIndirect, &countIndirect);

void countInstanced(GLenum mode, GLsizei count, GLenum type, const void* indices,
                    GLsizei instances) {
  instancedTap.pass(mode, count, type, indices, instances);
}

void countBaseVertex(GLenum mode, GLsizei count, GLenum type, const void* indices,
                     GLsizei instances, GLint baseVertex) {
  baseVertexTap.pass(mode, count, type, indices, instances, baseVertex);
}

void countIndirect(GLenum mode, GLenum type, const void* indirect, GLsizei draws, GLsizei stride) {
  indirectTap.pass(mode, type, indirect, draws, stride);
}

}  // namespace

DrawCount::DrawCount() {
  CK_ASSERT(!counting);
  counting = true;
  counted = 0;
  instancedTap.open();
  baseVertexTap.open();
  indirectTap.open();
}

DrawCount::~DrawCount() {
  instancedTap.close();
  baseVertexTap.close();
  indirectTap.close();
  counting = false;
}

int DrawCount::calls() const {
  return counted;
}

}  // namespace ck::test

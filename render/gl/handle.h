#pragma once

namespace ck::render {

enum class GlKind {
  Buffer,
  Texture,
  VertexArray,
  Framebuffer,
  Renderbuffer,
  Query,
  Shader,
  Program
};

// The one owner of one OpenGL name; deletes it, so the context that made it must be current then.
class GlHandle {
 public:
  GlHandle() = default;
  // Takes over a name that was made elsewhere (shaders and programs); 0 is nothing.
  GlHandle(GlKind kind, unsigned name);
  // A new name of one of the kinds that GL generates (all but Shader and Program).
  static GlHandle generate(GlKind kind);
  ~GlHandle();

  GlHandle(GlHandle&& other) noexcept;
  GlHandle& operator=(GlHandle&& other) noexcept;
  GlHandle(const GlHandle&) = delete;
  GlHandle& operator=(const GlHandle&) = delete;

  unsigned name() const { return name_; }
  explicit operator bool() const { return name_ != 0; }

 private:
  void release();

  GlKind kind_ = GlKind::Buffer;
  unsigned name_ = 0;
};

// How many names are owned at the moment, in all contexts; tests hold it to 0 at their end.
int liveGlObjects();

}  // namespace ck::render

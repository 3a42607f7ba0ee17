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

// Owns one OpenGL name. The destructor deletes it, so its context must be current then.
class GlHandle {
 public:
  GlHandle() = default;
  // Takes ownership of an existing name (shaders and programs); 0 owns nothing.
  GlHandle(GlKind kind, unsigned name);
  // Generates a new name, for all kinds but Shader and Program.
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

// The number of owned names in all contexts. Tests check that it is 0 at the end.
int liveGlObjects();

}  // namespace ck::render

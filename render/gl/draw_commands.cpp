#include "render/gl/draw_commands.h"

#include <epoxy/gl.h>

#include <algorithm>

#include "core/base/assert.h"

namespace ck::render {
namespace {

const void* offset(std::size_t bytes) {
  return reinterpret_cast<const void*>(bytes);
}

}  // namespace

Result<void> DrawCommands::set(std::span<const DrawCommand> commands) {
  uploadedBytes_ = 0;
  if (std::equal(commands.begin(), commands.end(), commands_.begin(), commands_.end())) return {};
  if (facts_.multiDrawIndirect) {
    commands_.clear();
    auto stored = buffer_.upload(commands, BufferUse::Stream, "the draw commands");
    if (!stored) return stored;
    uploadedBytes_ = commands.size_bytes();
  }
  commands_.assign(commands.begin(), commands.end());
  return {};
}

void DrawCommands::submit(const Part& part,
                          const std::function<void(std::size_t firstInstance)>& attach) const {
  CK_ASSERT(part.first + part.count <= commands_.size());
  if (part.count == 0) return;
  const GLenum type = part.wideIndices ? GL_UNSIGNED_INT : GL_UNSIGNED_SHORT;
  if (facts_.multiDrawIndirect) {
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, buffer_.name());
    glMultiDrawElementsIndirect(GL_TRIANGLES, type, offset(part.first * sizeof(DrawCommand)),
                                static_cast<GLsizei>(part.count), 0);
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, 0);
    return;
  }
  const std::size_t indexBytes = part.wideIndices ? 4 : 2;
  std::uint32_t attached = 0;
  for (const DrawCommand& command : std::span(commands_).subspan(part.first, part.count)) {
    if (command.firstInstance != attached) {
      CK_ASSERT(attach != nullptr);
      attach(command.firstInstance);
      attached = command.firstInstance;
    }
    glDrawElementsInstancedBaseVertex(GL_TRIANGLES, static_cast<GLsizei>(command.indices), type,
                                      offset(command.firstIndex * indexBytes),
                                      static_cast<GLsizei>(command.instances), command.baseVertex);
  }
  if (attached != 0) attach(0);
}

int DrawCommands::callsFor(std::size_t commands) const {
  return facts_.multiDrawIndirect ? std::min(static_cast<int>(commands), 1)
                                  : static_cast<int>(commands);
}

}  // namespace ck::render

#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "render/gl/buffer.h"
#include "render/gl/context.h"

namespace ck::render {

// One draw of indexed triangles, as OpenGL reads it from a buffer.
struct DrawCommand {
  std::uint32_t indices = 0;
  std::uint32_t instances = 0;
  std::uint32_t firstIndex = 0;
  std::int32_t baseVertex = 0;
  std::uint32_t firstInstance = 0;  // where attributes begin that step once an instance
  bool operator==(const DrawCommand&) const = default;
};
static_assert(sizeof(DrawCommand) == 20);

// A list of draws that a pass submits from a buffer, any number by one call, where the context has
// that (OpenGL 4.3), and one by one where it does not.
class DrawCommands {
 public:
  explicit DrawCommands(const ContextFacts& facts) : facts_(facts) {}

  // The list from now on; nothing is uploaded where it is what it was. Fails with LimitExceeded.
  Result<void> set(std::span<const DrawCommand> commands);

  std::size_t size() const { return commands_.size(); }
  std::size_t uploadedBytes() const { return uploadedBytes_; }  // by the last set()

  // Some of the list, one after another.
  struct Part {
    std::size_t first = 0;
    std::size_t count = 0;
    bool wideIndices = false;  // 32 bits, else 16
  };
  // Draws with the vertex array and the program that are bound. Contexts without first instances
  // `attach` the attributes that step once an instance from that one on; needed where a command
  // has another first instance than 0.
  void submit(const Part& part,
              const std::function<void(std::size_t firstInstance)>& attach = {}) const;
  int callsFor(std::size_t commands) const;

 private:
  const ContextFacts& facts_;
  std::vector<DrawCommand> commands_;
  Buffer buffer_;
  std::size_t uploadedBytes_ = 0;
};

}  // namespace ck::render

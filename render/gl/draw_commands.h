#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "render/gl/buffer.h"
#include "render/gl/context.h"

namespace ck::render {

// One draw of indexed triangles, in the layout that OpenGL reads from a buffer.
struct DrawCommand {
  std::uint32_t indices = 0;
  std::uint32_t instances = 0;
  std::uint32_t firstIndex = 0;
  std::int32_t baseVertex = 0;
  std::uint32_t firstInstance = 0;  // first instance of per-instance attributes
  bool operator==(const DrawCommand&) const = default;
};
static_assert(sizeof(DrawCommand) == 20);

// A list of draws. With multi-draw indirect (OpenGL 4.3) any number is submitted in one call, else
// one by one.
class DrawCommands {
 public:
  explicit DrawCommands(const ContextFacts& facts) : facts_(facts) {}

  // Sets the list. Nothing is uploaded if the list is unchanged. Fails with LimitExceeded.
  Result<void> set(std::span<const DrawCommand> commands);

  std::size_t size() const { return commands_.size(); }
  std::size_t uploadedBytes() const { return uploadedBytes_; }  // by the last set()

  // A contiguous part of the list.
  struct Part {
    std::size_t first = 0;
    std::size_t count = 0;
    bool wideIndices = false;  // 32-bit indices, else 16-bit
  };
  // Draws with the bound vertex array and program. `attach` is needed if a command's first instance
  // is not 0: contexts without base instances call it to rebind per-instance attributes.
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

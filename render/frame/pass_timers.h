#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "render/gl/handle.h"

namespace ck::render {

// What a part of a frame cost.
struct PassCost {
  std::string name;                  // "tick", "shadows", "crowd", "ground"
  double cpuMs = 0.0;                // see PassTimers
  std::optional<double> gpuMs = {};  // of a frame some frames ago; none where it cannot be trusted
  bool operator==(const PassCost&) const = default;
};

// Times the passes of frames. On a graphics card the CPU time is what passes until the driver has
// taken the work, and timer queries tell the GPU's own time; they are read some frames later,
// so that nothing waits. A software renderer draws on the processor and its queries read 0: there
// the CPU time is the processor time of the whole process, all threads together.
class PassTimers {
 public:
  // Ends the frame that it starts, however the drawing ends.
  class Frame {
   public:
    explicit Frame(PassTimers& timers) : timers_(timers) { timers_.startFrame(); }
    ~Frame() { timers_.endFrame(); }
    Frame(const Frame&) = delete;
    Frame& operator=(const Frame&) = delete;

   private:
    PassTimers& timers_;
  };

  explicit PassTimers(bool software) : software_(software) {}

  void startFrame();
  // Ends the pass before, if any. The name must live for ever.
  void begin(const char* name);
  void endFrame();

  // Of the last frame, in order.
  const std::vector<PassCost>& costs() const { return costs_; }

 private:
  static constexpr std::size_t kFramesBehind = 4;
  struct Query {
    std::string name;
    GlHandle handle;
  };
  struct Asked {
    std::vector<Query> queries;  // made once, used by every frame of this place
    std::size_t used = 0;        // by the frame that is under way
  };
  void endPass();
  bool collect(Asked& asked);
  double nowMs() const;

  bool software_;
  std::vector<PassCost> costs_;
  std::vector<PassCost> known_;  // GPU times by name
  std::array<Asked, kFramesBehind> frames_;
  std::uint64_t frame_ = 0;
  bool asking_ = false;  // queries run in this frame
  bool inPass_ = false;
  double passStartMs_ = 0.0;
};

}  // namespace ck::render

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "render/gl/handle.h"

namespace ck::render {

// The time of one part of a frame.
struct PassCost {
  std::string name;                  // "tick", "shadows", "crowd", "ground"
  double cpuMs = 0.0;                // see PassTimers
  std::optional<double> gpuMs = {};  // of an earlier frame; nothing if it is unreliable
  bool operator==(const PassCost&) const = default;
};

// Measures the time of each pass. With a GPU, cpuMs is the wall time until the driver has accepted
// the work, and timer queries give the GPU's time. Queries are read some frames later, so that
// nothing waits. A software renderer draws on the CPU and its queries return 0, so cpuMs is then
// the CPU time of the whole process, over all threads.
class PassTimers {
 public:
  // Ends the frame on destruction.
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
  // Ends the previous pass, if any. The string `name` must have static lifetime.
  void begin(const char* name);
  void endFrame();

  // The passes of the last frame, in order.
  const std::vector<PassCost>& costs() const { return costs_; }

 private:
  static constexpr std::size_t kFramesBehind = 4;
  struct Query {
    std::string name;
    GlHandle handle;
  };
  struct Asked {
    std::vector<Query> queries;  // generated once, reused by every frame with this index
    std::size_t used = 0;        // used by the current frame
  };
  void endPass();
  bool collect(Asked& asked);
  double nowMs() const;

  bool software_;
  std::vector<PassCost> costs_;
  std::vector<PassCost> known_;  // GPU times by name
  std::array<Asked, kFramesBehind> frames_;
  std::uint64_t frame_ = 0;
  bool asking_ = false;  // whether queries run in this frame
  bool inPass_ = false;
  double passStartMs_ = 0.0;
};

}  // namespace ck::render

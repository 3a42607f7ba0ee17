#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ck {

// The actors of one character that dissolve: each is drawn in two ways for a while, and the share
// of the way that comes in rises. Follows from the calls alone.
class Dissolves {
 public:
  static constexpr double kSeconds = 0.25;    // how long an actor dissolves
  static constexpr std::size_t kMost = 4000;  // actors that dissolve at once

  // An actor that is drawn in another way than before.
  struct Change {
    std::uint32_t actor = 0;
    std::uint8_t from = 0;
    std::uint8_t to = 0;
    float distance = 0.0f;  // from the eye
  };
  struct One {
    std::uint32_t actor = 0;
    std::uint8_t from = 0;
    std::uint8_t to = 0;
    double since = 0.0;  // seconds
    int step = 1;        // ActorShare
  };

  // Ends the dissolves that are over, and those of actors that are not in view; `ways` has the way
  // of every actor now. Begins those of `changes`, as long as there are no more than `most`: of the
  // nearest actors first. A change in the middle of a dissolve ends it. The next one begins with
  // the way of the two that has the larger share; a change back runs the dissolve backwards.
  // Without `seconds` of a steady clock, or when it goes back, all end.
  void update(std::optional<double> seconds, std::span<const std::uint8_t> ways,
              std::vector<Change> changes, std::size_t most);
  void clear() { all_.clear(); }

  std::span<const One> all() const { return all_; }  // ascending by actor
  std::size_t size() const { return all_.size(); }

 private:
  std::vector<One> all_;
};

}  // namespace ck

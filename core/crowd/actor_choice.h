#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace ck {

// Which actors of a crowd are meant: all of them, or some, numbered anew in their order. A view:
// the owner of the indices must keep them.
class ActorChoice {
 public:
  ActorChoice() = default;  // all
  // `stamp` is another one whenever the indices are; unique in the program, not 0.
  ActorChoice(std::span<const std::uint32_t> actors, std::uint64_t stamp)
      : actors_(actors), stamp_(stamp) {}

  bool isAll() const { return stamp_ == 0; }
  // The index in the crowd of the i-th one.
  std::size_t operator[](std::size_t i) const { return isAll() ? i : actors_[i]; }
  std::span<const std::uint32_t> actors() const { return actors_; }  // empty for all
  std::uint64_t stamp() const { return stamp_; }                     // 0 for all

 private:
  std::span<const std::uint32_t> actors_;
  std::uint64_t stamp_ = 0;
};

}  // namespace ck

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/crowd/actor_share.h"

namespace ck {

// Which actors of a crowd are meant: all of them, or some, numbered anew in their order. A view:
// the owner of the indices must keep them.
class ActorChoice {
 public:
  ActorChoice() = default;  // all
  // `stamp` is another one whenever the indices or shares are; unique in the program, not 0.
  // `shares` has one for every actor, or is empty: all are drawn whole.
  ActorChoice(std::span<const std::uint32_t> actors, std::uint64_t stamp,
              std::span<const ActorShare> shares = {})
      : actors_(actors), shares_(shares), stamp_(stamp) {}

  bool isAll() const { return stamp_ == 0; }
  // The index in the crowd of the i-th one.
  std::size_t operator[](std::size_t i) const { return isAll() ? i : actors_[i]; }
  std::span<const std::uint32_t> actors() const { return actors_; }  // empty for all
  std::span<const ActorShare> shares() const { return shares_; }
  std::uint64_t stamp() const { return stamp_; }  // 0 for all

 private:
  std::span<const std::uint32_t> actors_;
  std::span<const ActorShare> shares_;
  std::uint64_t stamp_ = 0;
};

}  // namespace ck

#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace ck {

// A list that its copies share, read like a vector. An edit gives the copy that is edited a list of
// its own.
template <class Item>
class SharedList {
 public:
  SharedList() = default;
  SharedList(std::vector<Item> items) {
    if (!items.empty()) items_ = std::make_shared<const std::vector<Item>>(std::move(items));
  }
  SharedList(std::initializer_list<Item> items) : SharedList(std::vector<Item>(items)) {}

  operator const std::vector<Item>&() const { return list(); }
  auto begin() const { return list().begin(); }
  auto end() const { return list().end(); }
  bool empty() const { return items_ == nullptr; }
  std::size_t size() const { return list().size(); }
  const Item& back() const { return items_->back(); }
  void clear() { items_.reset(); }
  // Calls `change` for the list that takes the place of this one.
  template <class Change>
  void edit(Change&& change) {
    std::vector<Item> items = list();
    change(items);
    *this = SharedList(std::move(items));
  }
  // Whether both are one list in memory.
  bool shares(const SharedList& other) const { return items_ == other.items_; }
  friend bool operator==(const SharedList& a, const SharedList& b) {
    return a.shares(b) || a.list() == b.list();
  }

 private:
  const std::vector<Item>& list() const {
    static const std::vector<Item> kNone;
    return items_ ? *items_ : kNone;
  }

  std::shared_ptr<const std::vector<Item>> items_;  // null if empty
};

}  // namespace ck

#pragma once

#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

// Lists whose entries ascend by a member, of which no value occurs twice.
namespace ck {

// Returns nullptr if there is no entry of this value.
template <class Entry, class Key>
const Entry* entryOf(const std::vector<Entry>& list, Key Entry::*by,
                     std::type_identity_t<Key> key) {
  const auto found = std::ranges::lower_bound(list, key, {}, by);
  return found == list.end() || (*found).*by != key ? nullptr : &*found;
}

// There must be no entry of this value. Costs little if it comes after all others.
template <class Entry, class Key>
Entry& addEntry(std::vector<Entry>& list, Key Entry::*by, Entry entry) {
  const bool isLast = list.empty() || list.back().*by < entry.*by;
  const auto after = isLast ? list.end() : std::ranges::lower_bound(list, entry.*by, {}, by);
  return *list.insert(after, std::move(entry));
}

template <class Entry, class Key>
void removeEntry(std::vector<Entry>& list, Key Entry::*by, std::type_identity_t<Key> key) {
  if (const Entry* entry = entryOf(list, by, key)) list.erase(list.begin() + (entry - list.data()));
}

}  // namespace ck

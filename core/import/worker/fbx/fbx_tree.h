#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/result.h"

// The syntax of FBX: a tree of named nodes with lists of values, in a binary and in a text form.
// docs/import-coverage.md lists what is read from it.
namespace ck::worker {

// The numbers of an array value, in the type of the file.
struct FbxArray {
  char type = 'd';                   // 'd' double, 'f' float, 'l' int64, 'i' int32, 'b' byte
  std::span<const std::byte> bytes;  // little-endian; of the tree, or of `unpacked`
  std::unique_ptr<std::byte[]> unpacked = {};

  std::size_t size() const;
  // A number as another type; 0 for an index outside the array. Numbers that do not fit in an
  // int64 give 0.
  double number(std::size_t index) const;
  std::int64_t whole(std::size_t index) const;
  std::vector<double> numbers() const;
};

// An array as it lies in the file. Packed ones are unpacked where they are used, so that one at a
// time takes memory.
struct FbxStoredArray {
  FbxArray array;
  bool isPacked = false;
  std::size_t unpackedBytes = 0;
  bool* isDamaged = nullptr;  // set if the array cannot be unpacked
};

using FbxValue =
    std::variant<std::int64_t, double, std::string_view, std::unique_ptr<const FbxStoredArray>>;

// Files have many small nodes, so nodes and values refer to the bytes of the file.
struct FbxNode {
  std::string_view name;
  std::vector<FbxValue> values;
  std::vector<FbxNode> children;

  // The first child of that name, or nullptr.
  const FbxNode* find(std::string_view child) const;
  // Values by position, and nothing of the child's values where the child is missing. Numbers are
  // converted; texts are empty and numbers 0 for a value that is missing or of another kind.
  double number(std::size_t index, double fallback = 0.0) const;
  std::int64_t whole(std::size_t index, std::int64_t fallback = 0) const;
  std::string_view text(std::size_t index) const;
  // The array in the first value of a child; an empty one if there is none. A packed array that
  // cannot be unpacked is empty, too, and counts for FbxTree::isDamaged. The tree must outlive it.
  FbxArray array(std::string_view child) const;
};

struct FbxTree {
  int version = 0;  // 7400 for FBX 7.4
  bool binary = false;
  FbxNode root;                   // without name and values; its children are the nodes of the file
  std::deque<std::string> texts;  // those that the text form writes with escapes
  // Whether an array that was used could not be unpacked.
  std::unique_ptr<bool> isDamaged = std::make_unique<bool>(false);
};

// Reads FBX 7.0 to 7.9, binary or text. Fails with Unsupported for other versions, with
// LimitExceeded for nesting deeper than 64 levels or arrays that inflate to more than 1 GB, and
// with InvalidInput for a damaged file. Memory is allocated in proportion to the bytes that are
// there, not to what they promise. The tree refers to `bytes`, which must outlive it.
Result<FbxTree> readFbxTree(std::span<const std::byte> bytes);

// The error for a tree with isDamaged.
Error fbxDamage();

}  // namespace ck::worker

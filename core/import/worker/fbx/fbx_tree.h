#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
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

class FbxInflater;

// The bytes that the nodes of a tree refer to: the file, or what the text form was turned into.
struct FbxBytes {
  std::span<const std::byte> all;
  std::vector<std::byte> own;  // empty for a binary file
  bool wide = false;           // whether counts have 64 bits
  bool isDamaged = false;      // whether an array that was used could not be unpacked
  std::shared_ptr<FbxInflater> inflater = {};  // for packed arrays, from the first one on
};

// A node of a tree. Files have many small nodes, so a node knows only where it lies in the bytes,
// and reads a value when it is asked for. An array is unpacked where it is used, so that one at a
// time takes memory.
class FbxNode {
 public:
  class Iterator;
  struct Children;

  FbxNode(FbxBytes& bytes, std::uint32_t place) : bytes_(&bytes), place_(place) {}

  std::string_view name() const;
  Children children() const;
  // The first child of that name, or nullptr.
  const FbxNode* find(std::string_view child) const;

  std::size_t valueCount() const;
  // Values by position. Numbers are converted; texts are empty and numbers `fallback` for a value
  // that is missing or of another kind.
  double number(std::size_t index, double fallback = 0.0) const;
  std::int64_t whole(std::size_t index, std::int64_t fallback = 0) const;
  std::string_view text(std::size_t index) const;
  // The array in the first value of a child; an empty one if there is none. A packed array that
  // cannot be unpacked is empty, too, and sets FbxBytes::isDamaged. The tree must outlive it.
  FbxArray array(std::string_view child) const;
  // The same for numbers that are kept as floats: packed doubles become floats piece by piece,
  // which takes half the memory.
  FbxArray floats(std::string_view child) const;
  // How many numbers that array has, without unpacking it.
  std::size_t arraySize(std::string_view child) const;

 private:
  friend class FbxTreeMaker;

  class Cursor;
  FbxArray arrayOf(std::string_view child, bool asFloats) const;
  Cursor cursor(std::size_t place) const;
  // Begins at the value; at no value if it is missing.
  Cursor valueAt(std::size_t index) const;

  FbxBytes* bytes_;
  // The position of the name's length, which the name and the values follow, and which the counts
  // are before; 0 for the root, which has neither.
  std::uint32_t place_;
  std::uint32_t nodeCount_ = 1;  // with all nodes below, which follow this one in memory
};

class FbxNode::Iterator {
 public:
  explicit Iterator(const FbxNode* node) : node_(node) {}
  const FbxNode& operator*() const { return *node_; }
  Iterator& operator++() {
    node_ += node_->nodeCount_;
    return *this;
  }
  bool operator==(const Iterator&) const = default;

 private:
  const FbxNode* node_;
};

struct FbxNode::Children {
  Iterator first;
  Iterator last;
  Iterator begin() const { return first; }
  Iterator end() const { return last; }
  std::size_t count() const;
};

inline FbxNode::Children FbxNode::children() const {
  return {Iterator(this + 1), Iterator(this + nodeCount_)};
}

struct FbxTree {
  int version = 0;  // 7400 for FBX 7.4
  bool binary = false;
  std::unique_ptr<FbxBytes> bytes = std::make_unique<FbxBytes>();
  std::vector<FbxNode> nodes;  // in the order of the file; the first one is the root

  const FbxNode& root() const { return nodes.front(); }
};

// Collects the nodes of a tree, in the order of the file.
class FbxTreeMaker {
 public:
  explicit FbxTreeMaker(FbxTree& tree);

  // Opens a node below the node that was opened last and not closed.
  void open(std::uint32_t place);
  void close();
  // How many nodes are open, with the root.
  std::size_t depth() const { return open_.size(); }

 private:
  FbxTree& tree_;
  std::vector<std::size_t> open_;
};

// Deeper nesting is refused.
inline constexpr std::size_t kFbxDeepest = 64;

// Reads FBX 7.0 to 7.9, binary or text. Fails with Unsupported for other versions, with
// LimitExceeded for nesting deeper than kFbxDeepest or arrays that inflate to more than 1 GB, and
// with InvalidInput for a damaged file. Memory is allocated in proportion to the bytes that are
// there, not to what they promise. The tree refers to `bytes`, which must outlive it and have less
// than 4 GB.
Result<FbxTree> readFbxTree(std::span<const std::byte> bytes);

// The error for a tree with FbxBytes::isDamaged.
Error fbxDamage();

}  // namespace ck::worker

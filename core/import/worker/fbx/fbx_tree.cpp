#include "core/import/worker/fbx/fbx_tree.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/base/byte_stream.h"
#include "core/import/worker/fbx/fbx_text.h"

namespace ck::worker {
namespace {

constexpr std::string_view kMagic("Kaydara FBX Binary  \0\x1a", 22);
constexpr std::size_t kMostInflatedBytes = 1'000'000'000;
// Deflate packs at most 1,032 bytes into one (RFC 1951: 258 bytes for two bits).
constexpr std::size_t kMostInflation = 1'032;

std::size_t sizeOf(char type) {
  return type == 'd' || type == 'l' ? 8 : type == 'f' || type == 'i' ? 4 : 1;
}

template <class Number>
Number at(std::span<const std::byte> bytes, std::size_t index) {
  Number value;
  std::memcpy(&value, bytes.data() + index * sizeof(Number), sizeof(Number));
  return value;
}

tl::unexpected<Error> damaged(std::string_view why) {
  return fail(ErrorCode::InvalidInput,
              fmt::format("{}; the file is damaged or cut short, so export it again", why));
}

// The head of an array value, and its numbers as they lie in the file.
struct StoredArray {
  char type = 'd';
  bool isPacked = false;
  std::size_t size = 0;  // of all numbers, in bytes
  std::span<const std::byte> bytes;
};

// Reads an array whose kind has been read. The reader is bad if the array ends too early.
template <class Input>
StoredArray storedArray(Input& in, char type) {
  StoredArray array;
  array.type = type == 'c' ? 'b' : type;
  array.size = in.template number<std::uint32_t>() * sizeOf(array.type);
  array.isPacked = in.template number<std::uint32_t>() == 1;
  array.bytes = in.take(in.template number<std::uint32_t>());
  return array;
}

bool isArray(char type) {
  return type == 'b' || type == 'c' || type == 'i' || type == 'l' || type == 'f' || type == 'd';
}

// Moves to the next value. Returns false for an unknown kind.
template <class Input>
bool skipValue(Input& in) {
  const char type = in.template number<char>();
  switch (type) {
    case 'B':
    case 'C':
    case 'Z':
      in.take(1);
      return true;
    case 'Y':
      in.take(2);
      return true;
    case 'I':
    case 'F':
      in.take(4);
      return true;
    case 'L':
    case 'D':
      in.take(8);
      return true;
    case 'S':
    case 'R':
      in.take(in.template number<std::uint32_t>());
      return true;
    default:
      if (!isArray(type)) return false;
      storedArray(in, type);
      return true;
  }
}

// Reads the binary form. Nested nodes are kept on a stack of our own, so depth costs no call.
class BinaryReader {
 public:
  explicit BinaryReader(FbxTree& tree)
      : bytes_(tree.bytes->all), wide_(tree.bytes->wide), maker_(tree) {}

  Result<void> read() {
    place_ = 27;
    ends_.push_back(bytes_.size());
    while (!ends_.empty()) {
      if (place_ >= ends_.back()) {
        maker_.close();
        ends_.pop_back();
        continue;
      }
      if (auto ok = readNode(); !ok) return ok;
    }
    return {};
  }

 private:
  Result<void> readNode() {
    ByteReader in(bytes_.subspan(place_, ends_.back() - place_));
    const auto offset = [&] {
      return wide_ ? in.number<std::uint64_t>() : std::uint64_t{in.number<std::uint32_t>()};
    };
    const std::uint64_t end = offset();
    const std::uint64_t valueCount = offset();
    const std::uint64_t valueBytes = offset();
    const std::size_t nameAt = ends_.back() - in.left();
    in.take(in.number<std::uint8_t>());
    if (!in.good()) {
      // Exporters may leave out the closing record of the file itself.
      if (ends_.size() == 1) return place_ = bytes_.size(), Result<void>();
      return damaged("a node ends too early");
    }
    if (end == 0) {  // the closing record of a list of children
      place_ = ends_.back();
      return {};
    }
    const std::size_t first = ends_.back() - in.left();
    if (end > ends_.back() || end < first || valueBytes > end - first) {
      return damaged("a node reaches beyond its parent");
    }
    ByteReader values(bytes_.subspan(first, static_cast<std::size_t>(valueBytes)));
    for (std::uint64_t v = 0; v < valueCount; ++v) {
      if (auto ok = checkValue(values); !ok) return ok;
    }
    place_ = first + static_cast<std::size_t>(valueBytes);
    maker_.open(static_cast<std::uint32_t>(nameAt));
    if (place_ < end) {
      if (ends_.size() > kFbxDeepest) return tooDeep();
      ends_.push_back(static_cast<std::size_t>(end));
    } else {
      maker_.close();
    }
    return {};
  }

  Result<void> checkValue(ByteReader& in) {
    ByteReader start = in;
    const char type = start.number<char>();
    const bool known = skipValue(in);
    if (!in.good()) return damaged("a value ends too early");
    if (!known) return damaged("a value is of an unknown kind");
    return isArray(type) ? checkArray(start, type) : Result<void>();
  }

  Result<void> checkArray(ByteReader in, char type) {
    ByteReader packing = in;
    packing.take(4);
    const StoredArray array = storedArray(in, type);
    if (packing.number<std::uint32_t>() > 1 ||
        (!array.isPacked && array.bytes.size() != array.size)) {
      return damaged("an array is of an unknown form or length");
    }
    if (array.size > kMostInflatedBytes || array.size / kMostInflation > array.bytes.size()) {
      return fail(ErrorCode::LimitExceeded,
                  fmt::format("an array of {} bytes is promised by {} bytes", array.size,
                              array.bytes.size()));
    }
    return {};
  }

  static tl::unexpected<Error> tooDeep() {
    return fail(ErrorCode::LimitExceeded,
                fmt::format("its nodes are nested more than {} deep", kFbxDeepest));
  }

  std::span<const std::byte> bytes_;
  bool wide_;
  FbxTreeMaker maker_;
  std::size_t place_ = 0;
  std::vector<std::size_t> ends_;  // of the open nodes
};

// From the header of the text form, or FBXVersion in it; 0 if there is none.
int textVersion(const FbxNode& root) {
  const FbxNode* header = root.find("FBXHeaderExtension");
  const FbxNode* version = header == nullptr ? nullptr : header->find("FBXVersion");
  return version == nullptr ? 0 : static_cast<int>(version->whole(0));
}

Result<void> checkVersion(int version) {
  if (version >= 7000 && version < 8000) return {};
  if (version > 0 && version < 7000) {
    return fail(
        ErrorCode::Unsupported,
        fmt::format("this is FBX {}.{}, which is older than version 7.0 and cannot be read; "
                    "export it with the setting Version 'FBX 2013' or newer ('FBX 7.4 binary' in "
                    "Blender), or convert it with Autodesk's FBX Converter",
                    version / 1000, version / 100 % 10));
  }
  return fail(ErrorCode::Unsupported,
              fmt::format("version {} of FBX is not known; FBX 7.0 to 7.7 (2011 to 2020) can be "
                          "read, so save it as one of these",
                          version));
}

}  // namespace

// Unpacks one array after the other, with what zlib needs for it allocated once.
class FbxInflater {
 public:
  FbxInflater() : isGood_(inflateInit(&stream_) == Z_OK) {}
  FbxInflater(const FbxInflater&) = delete;
  FbxInflater& operator=(const FbxInflater&) = delete;
  ~FbxInflater() { inflateEnd(&stream_); }

  // Empty if it is damaged.
  FbxArray unpacked(const StoredArray& stored) {
    FbxArray array{.type = stored.type, .bytes = {}};
    // Memory that is not initialised costs nothing if the numbers are not there.
    array.unpacked = std::make_unique_for_overwrite<std::byte[]>(stored.size);
    if (!begin(stored)) return array;
    stream_.next_out = reinterpret_cast<Bytef*>(array.unpacked.get());
    stream_.avail_out = static_cast<uInt>(stored.size);
    const bool isWhole = inflate(&stream_, Z_FINISH) == Z_STREAM_END;
    if (isWhole && stream_.avail_out == 0) array.bytes = {array.unpacked.get(), stored.size};
    return array;
  }

  // The same for doubles, as floats.
  FbxArray unpackedFloats(const StoredArray& stored) {
    const std::size_t count = stored.size / sizeof(double);
    FbxArray array{.type = 'f', .bytes = {}};
    array.unpacked = std::make_unique_for_overwrite<std::byte[]>(count * sizeof(float));
    std::array<double, 4'096> piece;
    int status = begin(stored) ? Z_OK : Z_DATA_ERROR;
    std::size_t done = 0;
    while (status == Z_OK) {
      stream_.next_out = reinterpret_cast<Bytef*>(piece.data());
      stream_.avail_out = sizeof(piece);
      while (status == Z_OK && stream_.avail_out > 0) status = inflate(&stream_, Z_NO_FLUSH);
      if (stream_.total_out > stored.size) return array;
      for (std::size_t i = 0; done < stream_.total_out / sizeof(double); ++i, ++done) {
        const auto number = static_cast<float>(piece[i]);
        std::memcpy(array.unpacked.get() + done * sizeof(float), &number, sizeof(float));
      }
    }
    if (status == Z_STREAM_END && stream_.total_out == stored.size) {
      array.bytes = {array.unpacked.get(), count * sizeof(float)};
    }
    return array;
  }

 private:
  bool begin(const StoredArray& stored) {
    if (!isGood_ || inflateReset(&stream_) != Z_OK) return false;
    stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(stored.bytes.data()));
    stream_.avail_in = static_cast<uInt>(stored.bytes.size());
    return true;
  }

  z_stream stream_ = {};
  bool isGood_;
};

std::size_t FbxArray::size() const {
  return bytes.size() / sizeOf(type);
}

double FbxArray::number(std::size_t index) const {
  if (index >= size()) return 0.0;
  switch (type) {
    case 'd':
      return at<double>(bytes, index);
    case 'f':
      return static_cast<double>(at<float>(bytes, index));
    default:
      return static_cast<double>(whole(index));
  }
}

std::int64_t FbxArray::whole(std::size_t index) const {
  if (index >= size()) return 0;
  switch (type) {
    case 'l':
      return at<std::int64_t>(bytes, index);
    case 'i':
      return at<std::int32_t>(bytes, index);
    case 'b':
      return static_cast<std::int64_t>(bytes[index]);
    default: {
      const double value = number(index);
      return std::abs(value) < 9e18 ? static_cast<std::int64_t>(value) : 0;
    }
  }
}

std::vector<double> FbxArray::numbers() const {
  std::vector<double> all(size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = number(i);
  return all;
}

// Reads where the reader of the tree has checked that the bytes are there, so it does not check.
class FbxNode::Cursor {
 public:
  explicit Cursor(const std::byte* place) : place_(place) {}

  template <class Number>
  Number number() {
    Number value;
    std::memcpy(&value, place_, sizeof(Number));
    place_ += sizeof(Number);
    return value;
  }
  std::span<const std::byte> take(std::size_t count) {
    const std::span bytes(place_, count);
    place_ += count;
    return bytes;
  }
  std::string_view text(std::size_t count) {
    const auto bytes = take(count);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

 private:
  const std::byte* place_;
};

FbxNode::Cursor FbxNode::cursor(std::size_t place) const {
  return Cursor(bytes_->all.data() + place);
}

std::string_view FbxNode::name() const {
  if (place_ == 0) return {};
  Cursor in = cursor(place_);
  return in.text(in.number<std::uint8_t>());
}

const FbxNode* FbxNode::find(std::string_view child) const {
  for (const FbxNode& node : children()) {
    if (node.name() == child) return &node;
  }
  return nullptr;
}

std::size_t FbxNode::valueCount() const {
  if (place_ == 0) return 0;
  // Before the name's length lie the number of values, and that of their bytes.
  if (!bytes_->wide) return cursor(place_ - 8).number<std::uint32_t>();
  return static_cast<std::size_t>(cursor(place_ - 16).number<std::uint64_t>());
}

FbxNode::Cursor FbxNode::valueAt(std::size_t index) const {
  static constexpr std::byte kMissing{};  // no kind of a value
  if (index >= valueCount()) return Cursor(&kMissing);
  Cursor in = cursor(place_);
  in.take(in.number<std::uint8_t>());
  for (std::size_t v = 0; v < index; ++v) skipValue(in);
  return in;
}

double FbxNode::number(std::size_t index, double fallback) const {
  Cursor in = valueAt(index);
  switch (in.number<char>()) {
    case 'B':
    case 'C':
      return in.number<std::uint8_t>();
    case 'Z':
      return in.number<std::int8_t>();
    case 'Y':
      return in.number<std::int16_t>();
    case 'I':
      return in.number<std::int32_t>();
    case 'L':
      return static_cast<double>(in.number<std::int64_t>());
    case 'F':
      return static_cast<double>(in.number<float>());
    case 'D':
      return in.number<double>();
    default:
      return fallback;
  }
}

std::int64_t FbxNode::whole(std::size_t index, std::int64_t fallback) const {
  Cursor in = valueAt(index);
  if (in.number<char>() == 'L') return in.number<std::int64_t>();  // beyond a double's precision
  const double value = number(index, std::numeric_limits<double>::quiet_NaN());
  return std::abs(value) < 9e18 ? static_cast<std::int64_t>(value) : fallback;
}

std::string_view FbxNode::text(std::size_t index) const {
  Cursor in = valueAt(index);
  const char type = in.number<char>();
  if (type != 'S' && type != 'R') return {};
  return in.text(in.number<std::uint32_t>());
}

FbxArray FbxNode::array(std::string_view child) const {
  return arrayOf(child, false);
}

std::size_t FbxNode::arraySize(std::string_view child) const {
  const FbxNode* node = find(child);
  if (node == nullptr) return 0;
  Cursor in = node->valueAt(0);
  const char type = in.number<char>();
  if (!isArray(type)) return 0;
  const StoredArray stored = storedArray(in, type);
  return stored.size / sizeOf(stored.type);
}

FbxArray FbxNode::floats(std::string_view child) const {
  return arrayOf(child, true);
}

FbxArray FbxNode::arrayOf(std::string_view child, bool asFloats) const {
  const FbxNode* node = find(child);
  if (node == nullptr) return {};
  Cursor in = node->valueAt(0);
  const char type = in.number<char>();
  if (!isArray(type)) return {};
  const StoredArray stored = storedArray(in, type);
  if (stored.isPacked) {
    if (!bytes_->inflater) bytes_->inflater = std::make_shared<FbxInflater>();
    FbxArray array = asFloats && stored.type == 'd' ? bytes_->inflater->unpackedFloats(stored)
                                                    : bytes_->inflater->unpacked(stored);
    bytes_->isDamaged = bytes_->isDamaged || (stored.size > 0 && array.bytes.empty());
    return array;
  }
  return {.type = stored.type, .bytes = stored.bytes};
}

std::size_t FbxNode::Children::count() const {
  std::size_t count = 0;
  for (Iterator child = first; child != last; ++child) ++count;
  return count;
}

FbxTreeMaker::FbxTreeMaker(FbxTree& tree) : tree_(tree) {
  open(0);
}

void FbxTreeMaker::open(std::uint32_t place) {
  open_.push_back(tree_.nodes.size());
  tree_.nodes.emplace_back(*tree_.bytes, place);
}

void FbxTreeMaker::close() {
  const std::size_t node = open_.back();
  open_.pop_back();
  tree_.nodes[node].nodeCount_ = static_cast<std::uint32_t>(tree_.nodes.size() - node);
}

Error fbxDamage() {
  return damaged("a packed array cannot be unpacked").value();
}

Result<FbxTree> readFbxTree(std::span<const std::byte> bytes) {
  if (bytes.size() > std::numeric_limits<std::uint32_t>::max()) {
    return fail(ErrorCode::LimitExceeded, "the file has more than 4 GB");
  }
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  FbxTree tree;
  tree.binary = text.starts_with(kMagic);
  if (tree.binary) {
    ByteReader in(bytes.subspan(std::min<std::size_t>(23, bytes.size())));
    tree.version = static_cast<int>(std::min<std::uint32_t>(in.number<std::uint32_t>(), 1'000'000));
    if (!in.good()) return damaged("its header is not complete");
    if (auto ok = checkVersion(tree.version); !ok) return tl::unexpected(ok.error());
    tree.bytes->all = bytes;
    tree.bytes->wide = tree.version >= 7500;
    if (auto ok = BinaryReader(tree).read(); !ok) return tl::unexpected(ok.error());
    return tree;
  }
  if (auto ok = readFbxText(text, tree); !ok) return tl::unexpected(ok.error());
  tree.version = textVersion(tree.root());
  if (auto ok = checkVersion(tree.version); !ok) return tl::unexpected(ok.error());
  return tree;
}

}  // namespace ck::worker

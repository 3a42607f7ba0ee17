#include "core/import/worker/fbx/fbx_tree.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/base/byte_stream.h"
#include "core/import/worker/fbx/fbx_text.h"

namespace ck::worker {
namespace {

constexpr std::string_view kMagic("Kaydara FBX Binary  \0\x1a", 22);
constexpr std::size_t kDeepest = 64;
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

FbxArray unpacked(const FbxStoredArray& stored) {
  const auto packed = stored.array.bytes;
  FbxArray array{.type = stored.array.type, .bytes = {}};
  array.unpacked = std::make_unique<std::byte[]>(stored.unpackedBytes);
  uLongf written = static_cast<uLongf>(stored.unpackedBytes);
  const int status =
      uncompress(reinterpret_cast<Bytef*>(array.unpacked.get()), &written,
                 reinterpret_cast<const Bytef*>(packed.data()), static_cast<uLong>(packed.size()));
  if (status == Z_OK && written == stored.unpackedBytes) {
    array.bytes = {array.unpacked.get(), stored.unpackedBytes};
  } else {
    *stored.isDamaged = true;
  }
  return array;
}

// Reads the binary form. Nested nodes are kept on a stack of our own, so depth costs no call.
class BinaryReader {
 public:
  BinaryReader(std::span<const std::byte> bytes, bool wide, bool* isDamaged)
      : bytes_(bytes), wide_(wide), isDamaged_(isDamaged) {}

  Result<void> read(FbxNode& root) {
    place_ = 27;
    open_.push_back({&root, bytes_.size()});
    while (!open_.empty()) {
      if (place_ >= open_.back().end) {
        open_.back().node->children.shrink_to_fit();
        open_.pop_back();
        continue;
      }
      if (auto ok = readNode(); !ok) return ok;
    }
    return {};
  }

 private:
  struct Open {
    FbxNode* node;
    std::size_t end;
  };

  Result<void> readNode() {
    ByteReader in(bytes_.subspan(place_, open_.back().end - place_));
    const auto offset = [&] {
      return wide_ ? in.number<std::uint64_t>() : std::uint64_t{in.number<std::uint32_t>()};
    };
    const std::uint64_t end = offset();
    const std::uint64_t valueCount = offset();
    const std::uint64_t valueBytes = offset();
    const auto nameSize = in.number<std::uint8_t>();
    const auto name = in.take(nameSize);
    if (!in.good()) {
      // Exporters may leave out the closing record of the file itself.
      if (open_.size() == 1) return place_ = bytes_.size(), Result<void>();
      return damaged("a node ends too early");
    }
    if (end == 0) {  // the closing record of a list of children
      place_ = open_.back().end;
      return {};
    }
    const std::size_t first = open_.back().end - in.left();
    if (end > open_.back().end || end < first || valueBytes > end - first) {
      return damaged("a node reaches beyond its parent");
    }
    FbxNode& node = open_.back().node->children.emplace_back();
    node.name = textOf(name);
    ByteReader values(bytes_.subspan(first, static_cast<std::size_t>(valueBytes)));
    // A value has two bytes or more.
    node.values.reserve(static_cast<std::size_t>(std::min(valueCount, valueBytes / 2)));
    for (std::uint64_t v = 0; v < valueCount; ++v) {
      if (auto ok = readValue(values, node); !ok) return ok;
    }
    place_ = first + static_cast<std::size_t>(valueBytes);
    if (place_ < end) {
      if (open_.size() > kDeepest) return tooDeep();
      open_.push_back({&node, static_cast<std::size_t>(end)});
    }
    return {};
  }

  Result<void> readValue(ByteReader& in, FbxNode& node) {
    const char type = in.number<char>();
    switch (type) {
      case 'B':
      case 'C':
        node.values.emplace_back(std::int64_t{in.number<std::uint8_t>()});
        break;
      case 'Y':
        node.values.emplace_back(std::int64_t{in.number<std::int16_t>()});
        break;
      case 'I':
        node.values.emplace_back(std::int64_t{in.number<std::int32_t>()});
        break;
      case 'L':
        node.values.emplace_back(in.number<std::int64_t>());
        break;
      case 'F':
        node.values.emplace_back(static_cast<double>(in.number<float>()));
        break;
      case 'D':
        node.values.emplace_back(in.number<double>());
        break;
      case 'S':
      case 'R': {
        node.values.emplace_back(textOf(in.take(in.number<std::uint32_t>())));
        break;
      }
      case 'b':
      case 'c':
      case 'i':
      case 'l':
      case 'f':
      case 'd':
        return readArray(in, type == 'c' ? 'b' : type, node);
      default:
        return damaged("a value is of an unknown kind");
    }
    if (!in.good()) return damaged("a value ends too early");
    return {};
  }

  Result<void> readArray(ByteReader& in, char type, FbxNode& node) {
    const auto count = in.number<std::uint32_t>();
    const auto packing = in.number<std::uint32_t>();
    const auto packed = in.take(in.number<std::uint32_t>());
    const std::size_t size = std::size_t{count} * sizeOf(type);
    if (!in.good()) return damaged("an array ends too early");
    if (packing > 1 || (packing == 0 && packed.size() != size)) {
      return damaged("an array is of an unknown form or length");
    }
    if (size > kMostInflatedBytes || size / kMostInflation > packed.size()) {
      return fail(ErrorCode::LimitExceeded,
                  fmt::format("an array of {} bytes is promised by {} bytes", size, packed.size()));
    }
    node.values.emplace_back(std::make_unique<const FbxStoredArray>(
        FbxStoredArray{.array = {.type = type, .bytes = packed},
                       .isPacked = packing == 1,
                       .unpackedBytes = size,
                       .isDamaged = isDamaged_}));
    return {};
  }

  static std::string_view textOf(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

  static tl::unexpected<Error> tooDeep() {
    return fail(ErrorCode::LimitExceeded,
                fmt::format("its nodes are nested more than {} deep", kDeepest));
  }

  std::span<const std::byte> bytes_;
  bool wide_;
  bool* isDamaged_;
  std::size_t place_ = 0;
  std::vector<Open> open_;
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

const FbxNode* FbxNode::find(std::string_view child) const {
  const auto found = std::find_if(children.begin(), children.end(),
                                  [child](const FbxNode& node) { return node.name == child; });
  return found == children.end() ? nullptr : &*found;
}

double FbxNode::number(std::size_t index, double fallback) const {
  if (index >= values.size()) return fallback;
  if (const auto* value = std::get_if<double>(&values[index])) return *value;
  if (const auto* value = std::get_if<std::int64_t>(&values[index])) {
    return static_cast<double>(*value);
  }
  return fallback;
}

std::int64_t FbxNode::whole(std::size_t index, std::int64_t fallback) const {
  if (index >= values.size()) return fallback;
  if (const auto* value = std::get_if<std::int64_t>(&values[index])) return *value;
  const auto* value = std::get_if<double>(&values[index]);
  return value != nullptr && std::abs(*value) < 9e18 ? static_cast<std::int64_t>(*value) : fallback;
}

std::string_view FbxNode::text(std::size_t index) const {
  const auto* value =
      index < values.size() ? std::get_if<std::string_view>(&values[index]) : nullptr;
  return value == nullptr ? std::string_view() : *value;
}

FbxArray FbxNode::array(std::string_view child) const {
  const FbxNode* node = find(child);
  const auto* stored = node == nullptr || node->values.empty()
                           ? nullptr
                           : std::get_if<std::unique_ptr<const FbxStoredArray>>(&node->values[0]);
  if (stored == nullptr) return {};
  if ((*stored)->isPacked) return unpacked(**stored);
  return {.type = (*stored)->array.type, .bytes = (*stored)->array.bytes};
}

Error fbxDamage() {
  return damaged("a packed array cannot be unpacked").value();
}

Result<FbxTree> readFbxTree(std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  FbxTree tree;
  tree.binary = text.starts_with(kMagic);
  if (tree.binary) {
    ByteReader in(bytes.subspan(std::min<std::size_t>(23, bytes.size())));
    tree.version = static_cast<int>(std::min<std::uint32_t>(in.number<std::uint32_t>(), 1'000'000));
    if (!in.good()) return damaged("its header is not complete");
    if (auto ok = checkVersion(tree.version); !ok) return tl::unexpected(ok.error());
    BinaryReader reader(bytes, tree.version >= 7500, tree.isDamaged.get());
    if (auto ok = reader.read(tree.root); !ok) return tl::unexpected(ok.error());
    return tree;
  }
  auto root = readFbxText(text, kDeepest, tree.texts);
  if (!root) return tl::unexpected(root.error());
  tree.root = std::move(*root);
  tree.version = textVersion(tree.root);
  if (auto ok = checkVersion(tree.version); !ok) return tl::unexpected(ok.error());
  return tree;
}

}  // namespace ck::worker

#include "core/import/worker/gltf/gltf_meshopt.h"

#include <fmt/format.h>
#include <meshoptimizer.h>
#include <tiny_gltf.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/import/worker/text/names.h"

namespace ck::worker {
namespace {

// KHR_meshopt_compression is the same with newer forms besides, which are refused by their marks.
constexpr const char* kExtensions[] = {"EXT_meshopt_compression", "KHR_meshopt_compression"};

constexpr std::size_t kMostBytes = 2'000'000'000;  // of all that is unpacked
// No form packs more than 64 bytes into one: a group of 16 equal bytes takes two bits.
constexpr std::size_t kMostPacked = 64;

tl::unexpected<Error> bad(std::size_t view, std::string_view what) {
  return fail(ErrorCode::InvalidInput, fmt::format("packed buffer view {} {}", view, what));
}

struct Packed {
  std::span<const unsigned char> bytes;
  std::size_t count = 0;   // of rows
  std::size_t stride = 0;  // bytes of a row
  std::string mode;
  std::string filter;
};

std::size_t numberOf(const tinygltf::Value& value, const char* key) {
  if (!value.Has(key) || !value.Get(key).IsInt()) return 0;
  const int number = value.Get(key).GetNumberAsInt();
  return number > 0 ? static_cast<std::size_t>(number) : 0;
}

std::string wordOf(const tinygltf::Value& value, const char* key, const char* without) {
  if (!value.Has(key) || !value.Get(key).IsString()) return without;
  return value.Get(key).Get<std::string>();
}

Result<Packed> packedOf(const tinygltf::Model& model, const tinygltf::Value& source,
                        std::size_t view) {
  if (!source.IsObject()) return bad(view, "does not say how it is packed");
  Packed packed;
  packed.count = numberOf(source, "count");
  packed.stride = numberOf(source, "byteStride");
  packed.mode = wordOf(source, "mode", "");
  packed.filter = wordOf(source, "filter", "NONE");
  const std::size_t offset = numberOf(source, "byteOffset");
  const std::size_t length = numberOf(source, "byteLength");
  const std::size_t buffer = numberOf(source, "buffer");
  if (buffer >= model.buffers.size()) return bad(view, "lies in a buffer that is not there");
  const std::vector<unsigned char>& data = model.buffers[buffer].data;
  if (length == 0 || offset > data.size() || length > data.size() - offset) {
    return bad(view, "ends behind its buffer");
  }
  packed.bytes = {data.data() + offset, length};
  return packed;
}

Result<void> checkForm(const Packed& packed, std::size_t view) {
  const std::size_t stride = packed.stride;
  const bool rows = packed.mode == "ATTRIBUTES";
  const bool triangles = packed.mode == "TRIANGLES";
  if (!rows && !triangles && packed.mode != "INDICES") {
    return bad(view, fmt::format("has the unknown mode '{}'", cleanText(packed.mode, 40)));
  }
  const bool strideFits =
      rows ? stride >= 4 && stride <= 256 && stride % 4 == 0 : stride == 2 || stride == 4;
  if (!strideFits || packed.count == 0 || (triangles && packed.count % 3 != 0)) {
    return bad(view, fmt::format("has {} rows of {} bytes, which the mode {} does not allow",
                                 packed.count, stride, packed.mode));
  }
  const std::string& filter = packed.filter;
  const bool filterFits =
      filter == "NONE" || (filter == "OCTAHEDRAL" && rows && (stride == 4 || stride == 8)) ||
      (filter == "QUATERNION" && rows && stride == 8) || (filter == "EXPONENTIAL" && rows);
  if (!filterFits && filter == "COLOR") {
    return fail(ErrorCode::Unsupported,
                "its colours are packed in a way that came after EXT_meshopt_compression (the "
                "filter COLOR); pack it again for that extension");
  }
  if (!filterFits) {
    return bad(view,
               fmt::format("has the filter '{}', which its rows do not allow", cleanText(filter)));
  }
  if (packed.count > kMostBytes / stride) {
    return fail(ErrorCode::LimitExceeded,
                fmt::format("packed buffer view {} unpacks to more than 2 GB", view));
  }
  if (packed.count * stride / kMostPacked > packed.bytes.size()) {
    return bad(view, fmt::format("promises {} bytes, more than its {} bytes can hold",
                                 packed.count * stride, packed.bytes.size()));
  }
  // The upper half of the first byte is the form, the lower its version.
  const unsigned mark = rows ? 0xa0 : triangles ? 0xe0 : 0xd0;
  const unsigned newest = rows ? 0 : 1;
  if ((packed.bytes[0] & 0xf0) == mark && (packed.bytes[0] & 0x0fu) > newest) {
    return fail(ErrorCode::Unsupported,
                "it is packed in a way that came after EXT_meshopt_compression; pack it again for "
                "that extension (gltfpack -c)");
  }
  return {};
}

Result<std::vector<unsigned char>> unpacked(const Packed& packed, std::size_t view) {
  std::vector<unsigned char> out(packed.count * packed.stride);
  const unsigned char* bytes = packed.bytes.data();
  const std::size_t size = packed.bytes.size();
  int code = 0;
  if (packed.mode == "ATTRIBUTES") {
    code = meshopt_decodeVertexBuffer(out.data(), packed.count, packed.stride, bytes, size);
  } else if (packed.mode == "TRIANGLES") {
    code = meshopt_decodeIndexBuffer(out.data(), packed.count, packed.stride, bytes, size);
  } else {
    code = meshopt_decodeIndexSequence(out.data(), packed.count, packed.stride, bytes, size);
  }
  if (code != 0) return bad(view, "is damaged; pack or export the file again");
  if (packed.filter == "OCTAHEDRAL") {
    meshopt_decodeFilterOct(out.data(), packed.count, packed.stride);
  } else if (packed.filter == "QUATERNION") {
    meshopt_decodeFilterQuat(out.data(), packed.count, packed.stride);
  } else if (packed.filter == "EXPONENTIAL") {
    meshopt_decodeFilterExp(out.data(), packed.count, packed.stride);
  }
  return out;
}

}  // namespace

Result<void> unpackBufferViews(tinygltf::Model& model) {
  std::size_t total = 0;
  for (std::size_t v = 0; v < model.bufferViews.size(); ++v) {
    tinygltf::BufferView& view = model.bufferViews[v];
    for (const char* name : kExtensions) {
      const auto found = view.extensions.find(name);
      if (found == view.extensions.end()) continue;
      const auto packed = packedOf(model, found->second, v);
      if (!packed) return tl::unexpected(packed.error());
      if (auto ok = checkForm(*packed, v); !ok) return ok;
      total += packed->count * packed->stride;
      if (total > kMostBytes) {
        return fail(ErrorCode::LimitExceeded, "its packed data unpacks to more than 2 GB");
      }
      auto bytes = unpacked(*packed, v);
      if (!bytes) return tl::unexpected(bytes.error());
      view.buffer = static_cast<int>(model.buffers.size());
      view.byteOffset = 0;
      view.byteLength = bytes->size();
      model.buffers.emplace_back();
      model.buffers.back().data = std::move(*bytes);
      break;
    }
  }
  return {};
}

}  // namespace ck::worker

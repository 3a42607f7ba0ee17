#include "core/import/worker/gltf/gltf_numbers.h"

#include <fmt/format.h>
#include <tiny_gltf.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace ck::worker {
namespace {

constexpr std::size_t kMostNumbers = 400'000'000;

tl::unexpected<Error> bad(int accessor, std::string_view what) {
  return fail(ErrorCode::InvalidInput, fmt::format("accessor {} {}", accessor, what));
}

// Reads one component. Normalised integers are scaled; the most negative integer and its successor
// both map to -1 (glTF 2.0, 3.6.2.2 and 3.11).
template <class Number>
double load(const unsigned char* at, bool normalised) {
  Number value;
  std::memcpy(&value, at, sizeof(value));
  const double wide = static_cast<double>(value);
  if (!std::is_integral_v<Number> || !normalised) return wide;
  return std::max(wide / static_cast<double>(std::numeric_limits<Number>::max()), -1.0);
}

struct ComponentType {
  std::size_t bytes = 0;  // 0 for an unknown type
  double (*load)(const unsigned char* at, bool normalised) = nullptr;
};

ComponentType componentType(int type) {
  switch (type) {
    case TINYGLTF_COMPONENT_TYPE_BYTE:
      return {1, load<std::int8_t>};
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE:
      return {1, load<std::uint8_t>};
    case TINYGLTF_COMPONENT_TYPE_SHORT:
      return {2, load<std::int16_t>};
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT:
      return {2, load<std::uint16_t>};
    case TINYGLTF_COMPONENT_TYPE_INT:
      return {4, load<std::int32_t>};
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT:
      return {4, load<std::uint32_t>};
    case TINYGLTF_COMPONENT_TYPE_FLOAT:
      return {4, load<float>};
    case TINYGLTF_COMPONENT_TYPE_DOUBLE:
      return {8, load<double>};
    default:
      return {};
  }
}

// Rows of equal size inside a buffer, already checked to lie within it.
struct Rows {
  const unsigned char* first = nullptr;
  std::size_t stride = 0;
};

Result<Rows> locate(const tinygltf::Model& model, int accessor, int viewIndex, std::size_t offset,
                    std::size_t count, std::size_t rowBytes) {
  if (viewIndex < 0 || static_cast<std::size_t>(viewIndex) >= model.bufferViews.size()) {
    return bad(accessor,
               fmt::format("names buffer view {} of {}", viewIndex, model.bufferViews.size()));
  }
  const tinygltf::BufferView& view = model.bufferViews[static_cast<std::size_t>(viewIndex)];
  if (view.buffer < 0 || static_cast<std::size_t>(view.buffer) >= model.buffers.size()) {
    return bad(accessor, "lies in a buffer that is not there");
  }
  const std::vector<unsigned char>& data =
      model.buffers[static_cast<std::size_t>(view.buffer)].data;
  const std::size_t stride = view.byteStride == 0 ? rowBytes : view.byteStride;
  if (stride < rowBytes && count > 1) return bad(accessor, "has a stride shorter than its rows");
  if (view.byteOffset > data.size() || view.byteLength > data.size() - view.byteOffset) {
    return bad(
        accessor,
        fmt::format("lies in a buffer view that ends behind its buffer of {} bytes", data.size()));
  }
  // Divides instead of multiplying, so that nothing overflows.
  const bool fits = offset <= view.byteLength && rowBytes <= view.byteLength - offset &&
                    (count <= 1 || (view.byteLength - offset - rowBytes) / stride >= count - 1);
  if (!fits) {
    return bad(accessor, fmt::format("has {} rows, more than its buffer view of {} bytes holds",
                                     count, view.byteLength));
  }
  return Rows{data.data() + view.byteOffset + offset, stride};
}

// Rows without bytes of their own are zeros and sparse values, beside rows that have some: no file
// has a use for many more of them than it has bytes. Without this, half a kilobyte fills gigabytes.
std::size_t mostRowsWithoutBytes(const tinygltf::Model& model) {
  std::size_t bytes = 65'536;
  for (const tinygltf::Buffer& buffer : model.buffers) bytes += buffer.data.size();
  return bytes;
}

struct Shape {
  const tinygltf::Accessor* accessor = nullptr;
  std::size_t components = 0;
  ComponentType type;
};

Result<Shape> shapeOf(const tinygltf::Model& model, int index, std::size_t components,
                      std::size_t mostRows) {
  if (index < 0 || static_cast<std::size_t>(index) >= model.accessors.size()) {
    return fail(ErrorCode::InvalidInput, fmt::format("accessor {} is named but there are only {}",
                                                     index, model.accessors.size()));
  }
  Shape shape;
  shape.accessor = &model.accessors[static_cast<std::size_t>(index)];
  const int found =
      tinygltf::GetNumComponentsInType(static_cast<std::uint32_t>(shape.accessor->type));
  shape.components = found > 0 ? static_cast<std::size_t>(found) : 0;
  shape.type = componentType(shape.accessor->componentType);
  if (shape.components == 0 || shape.type.bytes == 0) return bad(index, "has an unknown type");
  if (components != 0 && shape.components != components) {
    return bad(index, fmt::format("has {} numbers per row where {} are needed", shape.components,
                                  components));
  }
  if (shape.accessor->count > mostRows || shape.accessor->count > kMostNumbers / shape.components) {
    return fail(ErrorCode::LimitExceeded,
                fmt::format("accessor {} has {} rows, more than the limit of {}", index,
                            shape.accessor->count, mostRows));
  }
  if (shape.accessor->bufferView < 0 && shape.accessor->count > mostRowsWithoutBytes(model)) {
    return fail(ErrorCode::LimitExceeded,
                fmt::format("accessor {} has {} rows without a buffer view, more than the file has "
                            "bytes; export it again",
                            index, shape.accessor->count));
  }
  return shape;
}

// Calls put(row, component, value) for every number, then for sparse values.
template <class Put>
Result<void> forEachNumber(const tinygltf::Model& model, int index, const Shape& shape,
                           bool normalised, Put put) {
  const tinygltf::Accessor& accessor = *shape.accessor;
  const std::size_t rowBytes = shape.components * shape.type.bytes;
  const auto putRow = [&](std::size_t row, const unsigned char* at) {
    for (std::size_t c = 0; c < shape.components; ++c) {
      put(row, c, shape.type.load(at + c * shape.type.bytes, normalised));
    }
  };
  if (accessor.bufferView >= 0 && accessor.count > 0) {
    const auto rows =
        locate(model, index, accessor.bufferView, accessor.byteOffset, accessor.count, rowBytes);
    if (!rows) return tl::unexpected(rows.error());
    for (std::size_t r = 0; r < accessor.count; ++r) putRow(r, rows->first + r * rows->stride);
  }
  if (!accessor.sparse.isSparse || accessor.sparse.count == 0) return {};

  const auto& sparse = accessor.sparse;
  const ComponentType indexType = componentType(sparse.indices.componentType);
  if (sparse.count < 0 || sparse.indices.byteOffset < 0 || sparse.values.byteOffset < 0 ||
      indexType.bytes == 0 || static_cast<std::size_t>(sparse.count) > accessor.count) {
    return bad(index, "has sparse values that make no sense");
  }
  const std::size_t count = static_cast<std::size_t>(sparse.count);
  const auto indices =
      locate(model, index, sparse.indices.bufferView,
             static_cast<std::size_t>(sparse.indices.byteOffset), count, indexType.bytes);
  if (!indices) return tl::unexpected(indices.error());
  const auto values = locate(model, index, sparse.values.bufferView,
                             static_cast<std::size_t>(sparse.values.byteOffset), count, rowBytes);
  if (!values) return tl::unexpected(values.error());
  for (std::size_t i = 0; i < count; ++i) {
    const double row = indexType.load(indices->first + i * indices->stride, false);
    if (!(row >= 0.0 && row < static_cast<double>(accessor.count))) {
      return bad(index, "has a sparse value for a row that is not there");
    }
    putRow(static_cast<std::size_t>(row), values->first + i * values->stride);
  }
  return {};
}

// Where the numbers of an accessor lie as floats one behind the other, as those of most files do;
// nullptr where they must be read one by one.
Result<const unsigned char*> plainFloats(const tinygltf::Model& model, int index,
                                         const Shape& shape) {
  const tinygltf::Accessor& accessor = *shape.accessor;
  const bool isPlain = accessor.componentType == TINYGLTF_COMPONENT_TYPE_FLOAT &&
                       accessor.bufferView >= 0 && accessor.count > 0 && !accessor.sparse.isSparse;
  if (!isPlain) return nullptr;
  const std::size_t rowBytes = shape.components * sizeof(float);
  const auto rows =
      locate(model, index, accessor.bufferView, accessor.byteOffset, accessor.count, rowBytes);
  if (!rows) return tl::unexpected(rows.error());
  return rows->stride == rowBytes ? rows->first : nullptr;
}

}  // namespace

std::size_t accessorRows(const tinygltf::Model& model, int accessor) {
  if (accessor < 0 || static_cast<std::size_t>(accessor) >= model.accessors.size()) return 0;
  return model.accessors[static_cast<std::size_t>(accessor)].count;
}

Result<NumberRows> readFloats(const tinygltf::Model& model, int accessor, std::size_t components,
                              std::size_t mostRows) {
  const auto shape = shapeOf(model, accessor, components, mostRows);
  if (!shape) return tl::unexpected(shape.error());
  NumberRows result;
  result.rows = shape->accessor->count;
  result.components = shape->components;
  const auto plain = plainFloats(model, accessor, *shape);
  if (!plain) return tl::unexpected(plain.error());
  if (*plain != nullptr) {
    result.values.resize(result.rows * result.components);
    std::memcpy(result.values.data(), *plain, result.values.size() * sizeof(float));
    return result;
  }
  result.values.assign(result.rows * result.components, 0.0f);
  auto ok = forEachNumber(model, accessor, *shape, shape->accessor->normalized,
                          [&](std::size_t row, std::size_t c, double value) {
                            result.values[row * result.components + c] = static_cast<float>(value);
                          });
  if (!ok) return tl::unexpected(ok.error());
  return result;
}

Result<std::vector<std::uint32_t>> readIntegers(const tinygltf::Model& model, int accessor,
                                                std::size_t components, std::size_t mostRows) {
  const auto shape = shapeOf(model, accessor, components, mostRows);
  if (!shape) return tl::unexpected(shape.error());
  std::vector<std::uint32_t> result(shape->accessor->count * shape->components, 0);
  bool whole = true;
  auto ok = forEachNumber(
      model, accessor, *shape, false, [&](std::size_t row, std::size_t c, double value) {
        const bool good = value >= 0.0 && value <= 4294967295.0 && value == std::floor(value);
        whole = whole && good;
        result[row * shape->components + c] = good ? static_cast<std::uint32_t>(value) : 0;
      });
  if (!ok) return tl::unexpected(ok.error());
  if (!whole) return bad(accessor, "holds numbers that cannot be indices");
  return result;
}

}  // namespace ck::worker

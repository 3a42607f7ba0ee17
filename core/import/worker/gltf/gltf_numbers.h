#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/result.h"

namespace tinygltf {
class Model;
}

namespace ck::worker {

// The numbers of an accessor, in rows of `components`.
struct NumberRows {
  std::size_t rows = 0;
  std::size_t components = 0;
  std::vector<float> values;

  const float* row(std::size_t index) const { return values.data() + index * components; }
};

// Reads an accessor of any component type as floats. Normalised integers are scaled to [-1, 1] or
// [0, 1]; others keep their value. Sparse values are applied. A missing buffer view reads as zeros.
// `components` is the required row length (0: any), `mostRows` the limit. Errors name the accessor.
Result<NumberRows> readFloats(const tinygltf::Model& model, int accessor, std::size_t components,
                              std::size_t mostRows);

// Reads an accessor as unsigned integers, for indices and joints. Negative numbers and fractions
// are an error.
Result<std::vector<std::uint32_t>> readIntegers(const tinygltf::Model& model, int accessor,
                                                std::size_t components, std::size_t mostRows);

// The number of rows of an accessor, without reading it; 0 for an invalid index.
std::size_t accessorRows(const tinygltf::Model& model, int accessor);

}  // namespace ck::worker

#pragma once

#include <random>
#include <string>
#include <string_view>

namespace ck::fuzz {

// Changes a glTF file so that it stays one: values of the JSON (json_mutation.h), and in a GLB also
// numbers of the buffer, with right lengths. A file that is neither comes back unchanged.
std::string mutatedGltf(std::string_view bytes, std::mt19937& random);

}  // namespace ck::fuzz

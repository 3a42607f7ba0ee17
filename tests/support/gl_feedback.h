#pragma once

#include <glm/glm.hpp>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace ck::test {

// The inputs and outputs of one run of a vertex shader.
struct FeedbackInput {
  glm::ivec4 a{0};    // layout(location = 0) in ivec4 aA;
  glm::ivec4 b{0};    // location 1, aB
  glm::ivec4 c{0};    // location 2, aC
  glm::vec4 d{0.0f};  // location 3, aD
  glm::vec4 e{0.0f};  // location 4, aE
};
struct FeedbackOutput {
  glm::ivec4 whole{0};   // flat out ivec4 vWhole;
  glm::vec4 real{0.0f};  // out vec4 vReal;
};

// Runs a vertex shader once per input and reads its two outputs back. `body` is what follows the
// declarations; it may include the embedded shared files.
Result<std::vector<FeedbackOutput>> runOnGpu(const std::string& body,
                                             std::span<const FeedbackInput> inputs);

// Leaves the current context as an unfriendly caller might: blending, culling, scissors, masks and
// pixel alignments set to something else.
void disturbGlState();

}  // namespace ck::test

#pragma once

#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "core/atlas/atlas_map.h"

namespace ck {

// The facts and texts of a stored form, for all who read or describe it. pose_code.cpp makes its
// values and reads them.
struct PoseCodec {
  std::string_view name;           // in sidecars: "pivot"
  std::array<TexelKind, 3> kinds;  // of the values, which are texels where they are not packed
  bool readsRest = false;          // whether values depend on the bind pose of their joint
  bool hasScale = true;            // else the scale is 1
  std::string_view unmixed = {};   // names values that must be decoded before they are mixed
  // The shader text of the form, and expressions in it: the pose of the values first, second and
  // third, not normalised, and the skin matrix of `pose`.
  std::string_view shader;
  std::string_view decode;
  std::string_view skin;
  // For readers of sidecars (docs/atlas-json.md sections 3 and 4): values to pose, by Components;
  // pose to vertex; and the pose between two frames, joint by joint and relative to the parent.
  std::array<std::string_view, 3> stored;
  std::string_view vertex;
  std::string_view direct;
  std::string_view relative;
  // For notes of a bake: what a joint does, what is held instead, and the encoding that holds more.
  std::string_view lost = {};
  std::string_view held = {};
  std::string_view instead = {};
};
const PoseCodec& codecOf(const EncodingInfo& info);

// The same of a packing. Must not be called for Packing::None.
struct PackingWords {
  TexelKind kind;  // of the texel
  // Expressions of `words` in shader text: the first value, before its range, and the second.
  std::string_view place;
  std::string_view turn;
  std::string_view inWords;  // for readers of sidecars: words to values
};
const PackingWords& wordsOf(Packing packing);

// The kind of a value; R leaves out the first of the codec.
TexelKind valueKind(TexelCode code, int value);

// The facts that shader text needs to read poses of a code: the numbers that `#if` asks for, and
// the words that stand for expressions of the form and the packing (shaders/README.md).
struct PoseShader {
  std::vector<std::pair<std::string_view, int>> numbers;
  std::vector<std::pair<std::string_view, std::string_view>> words;
};
PoseShader poseShader(TexelCode code);

}  // namespace ck

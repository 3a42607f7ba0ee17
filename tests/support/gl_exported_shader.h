#pragma once

#include <glm/glm.hpp>
#include <span>
#include <string>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/base/result.h"

namespace ck::test {

// Whether ckAtlas is a texture of whole numbers or of values from 0 to 1. Floats are floats, and
// words are words.
enum class AtlasTexture { Integer, Normalised };

// The numbers of a filling pass.
struct FillNumbers {
  float seconds = 0.0f;
  int actors = 0;
  int rows = 1;   // of the palette
  int width = 1;  // of the targets
};

// Textures as a stranger would upload them for the shaders of an export, from the files of the
// export alone. Needs a current context.
class ExportedShader {
 public:
  ExportedShader(const Atlas& atlas, AtlasTexture texture);
  ~ExportedShader();
  ExportedShader(const ExportedShader&) = delete;
  ExportedShader& operator=(const ExportedShader&) = delete;

  // Two texels per actor, `perRow` texels in a row of the texture.
  void setActors(std::span<const glm::vec4> texels, int perRow);

  // Draws three vertices into `targets` RGBA32F targets and returns their texels, target by target.
  Result<std::vector<std::vector<glm::vec4>>> draw(const std::string& vertex,
                                                   const std::string& fragment, int targets,
                                                   const FillNumbers& numbers);

  // Makes the targets of the last draw() the palette of the next ones.
  void usePalette();

  // Runs a compute shader on 8 x 8 threads a group. Returns the palette buffer: three rows per
  // joint.
  Result<std::vector<glm::vec4>> compute(const std::string& text, int joints,
                                         const FillNumbers& numbers);

 private:
  unsigned bound_[6] = {};    // atlas, table, actors, palette X, Y, Z (or one)
  unsigned targets_[3] = {};  // of the last draw
};

}  // namespace ck::test

#pragma once

#include <cstddef>
#include <glm/glm.hpp>
#include <string>

#include "render/view/frame_image.h"

namespace ck::test {

// Whether anything was drawn at a pixel of a picture that began transparent.
bool isCovered(const render::Frame& frame, std::size_t pixel);
std::size_t pixels(const render::Frame& frame);

// Two pictures of the same size.
struct Comparison {
  double overlap = 0.0;   // pixels covered in both by pixels covered in any
  glm::dvec3 meanA{0.0};  // colour of covered pixels
  glm::dvec3 meanB{0.0};
  double area = 0.0;  // covered pixels of b by those of a
};
Comparison compare(const render::Frame& a, const render::Frame& b);
std::string textOf(const Comparison& same);

// The largest difference of a channel.
double farthest(const glm::dvec3& a, const glm::dvec3& b);

}  // namespace ck::test

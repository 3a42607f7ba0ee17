#pragma once

#include <string>

#include "render/view/frame_image.h"

namespace ck::render {

// The distance, in millimetres, that the last colour of the error view stands for where the artist
// leaves it open: the least of 1, 2 and 5 times a power of ten that is not below `maxMm`, and at
// least 0.01.
double errorScaleFor(double maxMm);

// "0.05 mm"; a value that is not a number or infinite has no digits.
std::string errorScaleText(double mm);

// Writes the figures of a scale beside the legend of the error view (Environment::drawLegend): 0,
// the middle and `scaleMm`, with a "+" behind if some vertex is farther off. Images that are too
// small for them are left as they are.
void printErrorScale(Frame& frame, double scaleMm, bool beyond);

}  // namespace ck::render

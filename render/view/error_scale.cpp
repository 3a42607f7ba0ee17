#include "render/view/error_scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "render/view/environment.h"

namespace ck::render {
namespace {

constexpr double kLeastScaleMm = 0.01;

// Glyphs of five by seven pixels, a row a number, the left pixel in the highest of five bits.
constexpr int kGlyphWidth = 5;
constexpr int kGlyphHeight = 7;
struct Glyph {
  char letter;
  std::array<std::uint8_t, kGlyphHeight> rows;
};
constexpr Glyph kGlyphs[] = {
    {'0', {0x0e, 0x11, 0x13, 0x15, 0x19, 0x11, 0x0e}},
    {'1', {0x04, 0x0c, 0x04, 0x04, 0x04, 0x04, 0x0e}},
    {'2', {0x0e, 0x11, 0x01, 0x06, 0x08, 0x10, 0x1f}},
    {'3', {0x1f, 0x02, 0x04, 0x02, 0x01, 0x11, 0x0e}},
    {'4', {0x02, 0x06, 0x0a, 0x12, 0x1f, 0x02, 0x02}},
    {'5', {0x1f, 0x10, 0x1e, 0x01, 0x01, 0x11, 0x0e}},
    {'6', {0x06, 0x08, 0x10, 0x1e, 0x11, 0x11, 0x0e}},
    {'7', {0x1f, 0x01, 0x02, 0x04, 0x08, 0x08, 0x08}},
    {'8', {0x0e, 0x11, 0x11, 0x0e, 0x11, 0x11, 0x0e}},
    {'9', {0x0e, 0x11, 0x11, 0x0f, 0x01, 0x02, 0x0c}},
    {'.', {0x00, 0x00, 0x00, 0x00, 0x00, 0x0c, 0x0c}},
    {'m', {0x00, 0x00, 0x1a, 0x15, 0x15, 0x15, 0x15}},
    {'+', {0x00, 0x04, 0x04, 0x1f, 0x04, 0x04, 0x00}},
    {'e', {0x00, 0x00, 0x0e, 0x11, 0x1f, 0x10, 0x0e}},
    {'-', {0x00, 0x00, 0x00, 0x1f, 0x00, 0x00, 0x00}},
};

void setPixel(Frame& frame, int x, int y, std::uint8_t level, double opacity) {
  if (x < 0 || y < 0 || x >= frame.width || y >= frame.height) return;
  std::uint8_t* pixel = frame.rgba.data() + (static_cast<std::ptrdiff_t>(y) * frame.width + x) * 4;
  for (int c = 0; c < 3; ++c) {
    pixel[c] = static_cast<std::uint8_t>(
        std::lround(pixel[c] * (1.0 - opacity) + static_cast<double>(level) * opacity));
  }
}

// A line of text on a dark ground, each pixel of a glyph `size` pixels wide; its right end is at x,
// its middle at y.
void print(Frame& frame, std::string_view text, int x, int y, int size) {
  const int width = static_cast<int>(text.size()) * (kGlyphWidth + 1) * size;
  const int left = x - width;
  const int top = y - kGlyphHeight * size / 2;
  for (int py = top - 2 * size; py < top + (kGlyphHeight + 2) * size; ++py) {
    for (int px = left - 2 * size; px < x + size; ++px) setPixel(frame, px, py, 16, 0.75);
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto* glyph = std::ranges::find(kGlyphs, text[i], &Glyph::letter);
    if (glyph == std::end(kGlyphs)) continue;
    const int start = left + static_cast<int>(i) * (kGlyphWidth + 1) * size;
    for (int py = 0; py < kGlyphHeight * size; ++py) {
      for (int px = 0; px < kGlyphWidth * size; ++px) {
        const bool on =
            (glyph->rows[static_cast<std::size_t>(py / size)] >> (kGlyphWidth - 1 - px / size) &
             1) != 0;
        if (on) setPixel(frame, start + px, top + py, 235, 1.0);
      }
    }
  }
}

}  // namespace

double errorScaleFor(double maxMm) {
  if (!std::isfinite(maxMm) || maxMm > 1e9) return 1e9;
  double power = kLeastScaleMm;
  while (power * 10.0 < maxMm) power *= 10.0;
  for (const double step : {1.0, 2.0, 5.0}) {
    // 1e-9: a power of ten that was multiplied up is not exact.
    if (power * step >= maxMm * (1.0 - 1e-9)) return power * step;
  }
  return power * 10.0;
}

std::string errorScaleText(double mm) {
  return std::isfinite(mm) ? fmt::format("{:.4g} mm", mm) : "mm";
}

void printErrorScale(Frame& frame, double scaleMm, bool beyond) {
  constexpr int kLeastHeight = 120;
  if (frame.height < kLeastHeight) return;
  const int size = std::max(1, (frame.height + 120) / 360);
  const int right = frame.width - kLegendRightPixels - kLegendWidthPixels - 6 - 2 * size;
  const double middle = 0.5 * frame.height;
  const double half = 0.5 * kLegendShare * frame.height;
  print(frame, errorScaleText(scaleMm) + (beyond ? "+" : ""), right,
        static_cast<int>(middle - half), size);
  print(frame, errorScaleText(0.5 * scaleMm), right, static_cast<int>(middle), size);
  print(frame, errorScaleText(0.0), right, static_cast<int>(middle + half), size);
}

}  // namespace ck::render

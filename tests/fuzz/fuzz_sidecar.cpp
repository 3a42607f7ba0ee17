#include <cmath>
#include <cstdio>

#include "core/atlas/atlas_check.h"
#include "core/export/error_json.h"
#include "core/export/sidecar_json.h"
#include "tests/fuzz/target_list.h"
#include "tests/fuzz/text_target.h"

namespace {

constexpr std::uint64_t kMostTexelBytes = 1 << 22;

// A number that is clearly another one, and as finite.
double otherThan(double value) {
  return std::abs(value) < 1.0 ? value + 2.0 : value / 2.0;
}

// Every figure that is stated otherwise is told, wherever it stands.
void stateOneOtherwise(const ck::BakeError& error) {
  using Figures = ck::ErrorFigures;
  using Change = void (*)(Figures&);
  static constexpr Change kChanges[] = {
      [](Figures& all) { all.maxDegrees = otherThan(all.maxDegrees); },
      [](Figures& all) { all.shell.max = otherThan(all.shell.max); },
      [](Figures& all) { all.shell.worstClip += "x"; },
      [](Figures& all) { all.shell.worstJoint += "x"; },
      [](Figures& all) { all.vertices.p99 = otherThan(all.vertices.p99); },
      [](Figures& all) { all.vertices.worstMesh += "x"; },
      [](Figures& all) { all.vertices.worstVertex ^= 1; },
      [](Figures& all) {
        all.vertices.worstTimeSeconds = otherThan(all.vertices.worstTimeSeconds);
      },
      [](Figures& all) { all.screen.rms = otherThan(all.screen.rms); }};
  // The error on the screen follows from that of the vertices.
  const ck::BakeError measured = ck::seenFrom(error, error.view);
  for (const Change change : kChanges) {
    for (ck::ErrorFigures ck::BakeError::*reading :
         {&ck::BakeError::palette, &ck::BakeError::direct}) {
      ck::BakeError stated = measured;
      change(stated.*reading);
      if (ck::firstFalseFigure(stated, measured).empty()) __builtin_trap();
    }
  }
  if (!ck::firstFalseFigure(measured, measured).empty()) __builtin_trap();
}

// Reads any text as a sidecar. One whose atlas is sound is written, states itself, and is the same
// after it was read again. Built and run by scripts/fuzz.sh.
int feedSidecar(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  auto sidecar = ck::sidecarFromText(text);
  if (!sidecar) return 0;
  const auto error = ck::statedError(text);
  // Files beside it hold the texels.
  const std::uint64_t texelBytes = ck::texelBytesOf(sidecar->atlas);
  if (texelBytes > kMostTexelBytes) return 0;
  sidecar->atlas.texels.resize(texelBytes);
  if (!ck::checkAtlas(sidecar->atlas)) return 0;
  (void)ck::checkRestated(text, *sidecar);
  const bool hasError = error && error->has_value();
  const std::string written = ck::sidecarText(*sidecar, hasError ? &**error : nullptr);
  auto again = ck::sidecarFromText(written);
  if (!again) {
    std::fprintf(stderr, "not read again: %s\n%s\n", again.error().message.c_str(),
                 written.c_str());
    __builtin_trap();
  }
  if (const auto same = ck::checkRestated(written, *again); !same) {
    std::fprintf(stderr, "not restated: %s\n%s\n", same.error().message.c_str(), written.c_str());
    __builtin_trap();
  }
  const auto errorAgain = ck::statedError(written);
  if (!errorAgain || hasError != errorAgain->has_value()) __builtin_trap();
  if (hasError) {
    (void)ck::firstFalseFigure(**error, **errorAgain);
    (void)ck::firstFalseFigure(**error, {});
    stateOneOtherwise(**error);
  }
  const std::string second = ck::sidecarText(*again, hasError ? &**errorAgain : nullptr);
  if (second != written) {
    std::fprintf(stderr, "%s\nbecame\n%s\n", written.c_str(), second.c_str());
    __builtin_trap();
  }
  return 0;
}

std::size_t mutateSidecar(std::uint8_t* data, std::size_t size, std::size_t maxSize,
                          unsigned seed) {
  return ck::fuzz::mutateJsonInput(data, size, maxSize, seed);
}

}  // namespace

CK_FUZZ_TARGET(sidecar, feedSidecar, mutateSidecar)

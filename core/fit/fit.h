#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/atlas/error_figures.h"
#include "core/bake/bake_settings.h"
#include "core/base/job.h"
#include "core/base/result.h"
#include "core/scene/character.h"

namespace ck {

// How many frames a clip gets: its own key grid, or BakeSettings::rateHz or frames if > 0.
struct FitRate {
  double rateHz = 0.0;
  int frames = 0;
  bool operator==(const FitRate&) const = default;
};

// The values that are tried for each setting of a bake. An empty list: everything that there is; of
// rates, the clips' own key grid, kFitRates, and the key rate divided by 1, 2, 3 and 4.
struct FitChoices {
  std::vector<Encoding> encodings;
  std::vector<Components> components;  // for encodings that can leave some out
  std::vector<RangeMode> ranges;       // for encodings that have ranges
  std::vector<LayoutKind> layouts;     // of these the smallest is taken
  std::vector<int> influences;         // 1, 2, 4
  std::vector<FitRate> rates;
  // How far frames are left out (BakeSettings::reduceMm) of the smallest rows within the limit of
  // the error; nothing is tried for 0. Empty: as far as each of them leaves of the limit.
  std::vector<double> reductions;
  bool operator==(const FitChoices&) const = default;
};
inline constexpr double kFitRates[] = {60.0, 30.0, 24.0, 20.0, 15.0, 12.0, 10.0, 8.0};

// The largest that is accepted. 0: no limit.
struct FitLimits {
  ErrorLimits error;  // for the reading of FitWish::settings
  std::size_t bytes = 0;
  bool operator==(const FitLimits&) const = default;
};

// A search: for the fewest bytes with a limit of an error, for the smallest error at the vertices
// with a limit of bytes alone, else for the knee, or the smallest error where there is none.
struct FitWish {
  // The settings that are not searched: clips, reading, interpolation, tile, powers of two, texture
  // size. Its reduceMm is not used.
  BakeSettings settings;
  FitChoices choices;
  FitLimits limits;
  ScreenView screen;
};

// An atlas that was baked and measured.
struct FitRow {
  BakeSettings settings;  // bake() makes exactly this atlas of them
  std::size_t bytes = 0;  // of the texture
  int width = 0;          // in texels
  int height = 0;
  int frames = 0;   // stored, of all clips
  int fetches = 0;  // texels that a shader fetches for a vertex (fetchesOf())
  BakeError error;
  Notes notes;            // of the bake
  bool isWithin = false;  // within all limits
  bool isFront = false;   // no other row is at most as large and nearer to the source
  bool isKnee = false;    // the row of the front from which on bytes buy least
};

// Takes over what a search decides: what the recipe says is searched, rate and frames.
void takeSearched(const BakeSettings& found, BakeSettings& settings);

// The figures of the reading that the settings ask for.
const ErrorFigures& figuresOf(const FitRow& row);

// Sorts rows by bytes, then by error, and sets isFront and isKnee.
void markFront(std::vector<FitRow>& rows);

// A change that would make an atlas fit where none does: measured, too.
struct FitAdvice {
  enum class Kind { AllowError, AllowBytes, DropClip };
  Kind kind = Kind::AllowError;
  std::string clip = {};  // DropClip: its name in the atlas
  std::string text;       // "allow 1.3 mm", "allow 812.4 KB", "drop 'cheer' (-0.7 MB)"
  FitRow row;             // what there would be; of AllowError the fewest bytes within it
};

struct FitResult {
  std::vector<FitRow> rows;         // by bytes, then by error
  std::optional<std::size_t> best;  // into rows; empty if nothing is within the limits
  std::vector<FitAdvice> advice;    // empty if something is
  std::size_t candidates = 0;       // planned: their bytes are known
  bool stopped = false;             // the job was stopped: rows has what was found until then
};

// One sentence about a result without `best`: "Nothing within 1 mm takes at most 100 KB: allow 1.3
// mm, or drop 'cheer' (-0.7 MB)."
std::string adviceSentence(const FitResult& result, const FitLimits& limits);

// Searches. The bytes of every candidate follow from planning. For each there is a bound that its
// error cannot stay below: its poses at the moments that are worst, encoded and decoded. So only
// those that may be the answer or lie on the front are baked and measured, and no answer rests on
// an estimate. With a limit of bytes alone, the answer is the best of the twelve with the lowest
// bounds, which is within 3 % of the best there is unless the bounds of twelve are that close. All
// of that is for clips that store all of their frames. With a limit of an error, up to three of the
// smallest rows within it are baked with frames left out, too, and the smallest of all is the
// answer.
// `found` gets each row when it is measured, on the calling thread, its flags but isWithin unset.
// The result does not depend on the number of threads. Fails as bake() does if nothing can be
// baked; other than jobs usually do, it keeps what it found when it is stopped.
Result<FitResult> findAtlas(const Character& character, const FitWish& wish, JobContext job = {},
                            const std::function<void(const FitRow&)>& found = {});

}  // namespace ck

#include "core/fit/fit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "core/atlas/recipe_settings.h"
#include "core/bake/bake.h"
#include "core/error/bake_error.h"
#include "core/fit/fit_bounds.h"
#include "core/fit/fit_candidates.h"
#include "core/fit/fit_front.h"

namespace ck {
namespace {

constexpr float kPlanned = 0.05f;  // of the progress
constexpr float kBounded = 0.6f;

// Errors are measured to within 3 %, and this much may be the rounding of a bake.
constexpr double kMeasured = 1.03;
constexpr double kRoundingMm = 0.002;

// The limits of an error as one at the vertices; 0: none. The shell has no bound.
double limitMm(const ErrorLimits& limits, const ScreenView& screen) {
  const double perPixel = 1000.0 / pixelsPerMeter(screen);
  const double ofPixels = limits.pixels * perPixel;
  const double ofVertices = limits.vertexMm;
  if (ofPixels <= 0.0 || ofVertices <= 0.0) return std::max(ofPixels, ofVertices);
  return std::min(ofPixels, ofVertices);
}

bool limitsError(const ErrorLimits& limits) {
  return limits != ErrorLimits{};
}

bool meetsError(const FitRow& row, const ErrorLimits& limits) {
  const ErrorFigures& figures = figuresOf(row);
  const auto met = [](double limit, double value) { return limit <= 0.0 || value <= limit; };
  return met(limits.vertexMm, figures.vertices.max) && met(limits.shellMm, figures.shell.max) &&
         met(limits.pixels, figures.screen.max);
}

bool isWithin(const FitRow& row, const FitLimits& limits) {
  return meetsError(row, limits.error) && (limits.bytes == 0 || row.bytes <= limits.bytes);
}

double vertexMm(const FitRow& row) {
  return figuresOf(row).vertices.max;
}

// The largest error of a row as a multiple of its limit; without limits, millimetres at the
// vertices.
double excessOf(const FitRow& row, const ErrorLimits& limits) {
  if (!limitsError(limits)) return vertexMm(row);
  const ErrorFigures& figures = figuresOf(row);
  const auto share = [](double limit, double value) { return limit > 0.0 ? value / limit : 0.0; };
  return std::max({share(limits.vertexMm, figures.vertices.max),
                   share(limits.shellMm, figures.shell.max),
                   share(limits.pixels, figures.screen.max)});
}

// The limits, each that a row exceeds replaced by the error of the row, rounded up as it is shown.
ErrorLimits limitsAllowing(const FitRow& row, ErrorLimits limits) {
  const ErrorFigures& figures = figuresOf(row);
  const auto allow = [](double& limit, double value) {
    if (limit > 0.0 && value > limit) limit = std::max(value, roundedUp(value));
  };
  allow(limits.vertexMm, figures.vertices.max);
  allow(limits.shellMm, figures.shell.max);
  allow(limits.pixels, figures.screen.max);
  return limits;
}

auto byBytes(const FitCandidate& c) {
  return std::tuple(c.bytes, c.fetches, c.leastMm);
}

// One search: what is planned, and what is measured of it.
class Search {
 public:
  Search(const Character& character, const FitWish& wish, const JobContext& job,
         const std::function<void(const FitRow&)>& found)
      : character_(character), wish_(wish), job_(job), found_(found) {}

  Result<FitResult> run() {
    auto plan = planFit(character_, wish_, job_.part(0.0f, kPlanned));
    if (!plan) return endedBy(plan.error());
    if (auto ok = boundErrors(character_, wish_, *plan, job_.part(kPlanned, kBounded)); !ok) {
      return endedBy(ok.error());
    }
    candidates_ = std::move(plan->candidates);
    std::ranges::stable_sort(candidates_, {}, byBytes);
    rows_.resize(candidates_.size());
    if (limitsError(wish_.limits.error)) {
      best_ = fewestBytes(wish_.limits.error, wish_.limits.bytes);
      // Rows that are too large may be small enough with frames left out.
      if (!best_ && wish_.limits.bytes > 0) fewestBytes(wish_.limits.error, 0);
    } else if (wish_.limits.bytes > 0) {
      best_ = smallestError(wish_.limits.bytes);
    }
    measureFront();
    reduceRows(wish_.limits.error, 0);
    FitResult result = gathered();
    if (!result.best && !error_ && limitsSomething()) advise(result);
    result.stopped = error_.has_value();
    if (error_ && error_->code != ErrorCode::Cancelled) return tl::unexpected(*error_);
    job_.report(1.0f, "Searched");
    return result;
  }

 private:
  bool limitsSomething() const { return wish_.limits != FitLimits{}; }

  Result<FitResult> endedBy(const Error& error) const {
    if (error.code != ErrorCode::Cancelled) return tl::unexpected(error);
    FitResult nothing;
    nothing.stopped = true;
    return nothing;
  }

  // Bakes and measures. Null if that fails; the search then ends.
  const FitRow* measure(std::size_t index) {
    if (rows_[index]) return &*rows_[index];
    if (error_) return nullptr;
    auto row = measured(candidates_[index].settings);
    if (!row) {
      error_ = row.error();
      return nullptr;
    }
    rows_[index] = std::move(*row);
    if (found_) found_(*rows_[index]);
    return &*rows_[index];
  }

  Result<FitRow> measured(const BakeSettings& settings) {
    // How many there will be is not known.
    const float from = done_;
    done_ += 0.08f * (1.0f - done_);
    const JobContext job = job_.part(from, done_);
    const auto baked = bake(character_, settings, job.part(0.0f, 0.3f));
    if (!baked) return tl::unexpected(baked.error());
    const Atlas& atlas = baked->atlas;
    auto error =
        measureBakeError(character_, atlas, {.screen = wish_.screen}, job.part(0.3f, 1.0f));
    if (!error) return tl::unexpected(error.error());
    FitRow row;
    row.settings = settings;
    row.bytes = atlas.texels.size();
    row.width = atlasWidth(atlas);
    row.height = atlasHeight(atlas);
    for (const AtlasClip& clip : atlas.clips) row.frames += clip.frameCount;
    row.fetches = fetchesOf(codeOf(atlas), atlas.recipe.influences, settings.interpolate);
    row.error = std::move(*error);
    row.notes = baked->notes;
    row.isWithin = isWithin(row, wish_.limits);
    return row;
  }

  // The smallest candidate within the limits of the error, of at most so many bytes (0: any).
  std::optional<std::size_t> fewestBytes(const ErrorLimits& limits, std::size_t most) {
    const double limit = limitMm(limits, wish_.screen);
    for (std::size_t i = 0; i < candidates_.size() && !error_; ++i) {
      const FitCandidate& each = candidates_[i];
      if (most > 0 && each.bytes > most) break;
      if (limit > 0.0 && each.leastMm > kMeasured * limit + kRoundingMm) continue;
      const FitRow* row = measure(i);
      if (row && meetsError(*row, limits)) return i;
    }
    return std::nullopt;
  }

  // The candidate that exceeds the limits of the error least, of at most so many bytes (0: any).
  std::optional<std::size_t> smallestError(std::size_t mostBytes) {
    constexpr std::size_t kMost = 12;
    std::vector<std::size_t> order;
    std::optional<std::size_t> best;
    const auto rank = [this](std::size_t at) {
      const FitRow& row = *rows_[at];
      return std::tuple(excessOf(row, wish_.limits.error), row.bytes, row.fetches);
    };
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      if (mostBytes > 0 && candidates_[i].bytes > mostBytes) continue;
      order.push_back(i);
      if (rows_[i] && (!best || rank(i) < rank(*best))) best = i;
    }
    std::ranges::stable_sort(order, {}, [this](std::size_t i) { return candidates_[i].leastMm; });
    if (order.size() > kMost) order.resize(kMost);
    for (const std::size_t i : order) {
      if (best && leastExcess(candidates_[i]) > excessOf(*rows_[*best], wish_.limits.error)) break;
      if (measure(i) == nullptr) break;
      if (!best || rank(i) < rank(*best)) best = i;
    }
    return best;
  }

  // A lower bound of excessOf() for a candidate. The shell has no bound.
  double leastExcess(const FitCandidate& candidate) const {
    if (!limitsError(wish_.limits.error)) return candidate.leastMm;
    const double limit = limitMm(wish_.limits.error, wish_.screen);
    return limit > 0.0 ? candidate.leastMm / limit : 0.0;
  }

  // The front by the bounds, thinned, around the limits.
  void measureFront() {
    const double limit = limitMm(wish_.limits.error, wish_.screen);
    std::vector<FrontPoint> points;
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      const FitCandidate& each = candidates_[i];
      if (limit > 0.0 && each.leastMm > kFarOff * limit) continue;
      if (limit <= 0.0 && each.leastMm > kUselessMm) continue;
      const bool isLarge = wish_.limits.bytes > 0 && each.bytes / 4 > wish_.limits.bytes;
      if (isLarge) continue;
      points.push_back({static_cast<double>(each.bytes), inSteps(each.leastMm)});
      indices.push_back(i);
    }
    for (const std::size_t point : thinnedFront(points, kFrontRows)) measure(indices[point]);
  }

  // Bounds that differ by less than a twentieth do not make a front.
  static double inSteps(double mm) {
    constexpr double kLeastMm = 1e-4;
    const double step = std::log(1.05);
    return std::exp(step * std::round(std::log(std::max(mm, kLeastMm)) / step));
  }

  // Leaves frames out of the smallest rows within the limits of the error and of at most so many
  // bytes (0: any), by what they leave of the limits.
  void reduceRows(const ErrorLimits& limits, std::size_t mostBytes) {
    constexpr std::size_t kMost = 3;
    const double limit = limitMm(limits, wish_.screen);
    if (limit <= 0.0 || !wish_.settings.interpolate) return;
    std::vector<const FitRow*> within;
    for (const std::optional<FitRow>& row : rows_) {
      const bool isSmall = row && (mostBytes == 0 || row->bytes <= mostBytes);
      if (isSmall && meetsError(*row, limits)) within.push_back(&*row);
    }
    std::ranges::stable_sort(
        within, {}, [](const FitRow* row) { return std::tuple(row->bytes, vertexMm(*row)); });
    if (within.size() > kMost) within.resize(kMost);
    for (const FitRow* even : within) {
      std::vector<double> reductions = wish_.choices.reductions;
      if (reductions.empty()) reductions = {inWords(limit - vertexMm(*even))};
      for (const double mm : reductions) {
        if (mm <= 0.0 || error_) continue;
        BakeSettings settings = even->settings;
        settings.reduceMm = mm;
        auto row = measured(settings);
        if (!row) {
          error_ = row.error();
          return;
        }
        if (row->bytes >= even->bytes) continue;
        if (found_) found_(*row);
        reduced_.push_back(std::move(*row));
      }
    }
  }

  // A distance rounded down to a number that is short to write; 0 if it is below a hundredth.
  static double inWords(double mm) {
    const double parts = mm < 1.0 ? 1000.0 : 100.0;
    return mm < 0.01 ? 0.0 : std::floor(std::min(mm, kMostReduceMm) * parts) / parts;
  }

  // The answer, if anything is within the limits.
  const FitRow* answer() const {
    const FitRow* best = best_ ? &*rows_[*best_] : nullptr;
    for (const FitRow& row : reduced_) {
      if (row.isWithin && (best == nullptr || row.bytes < best->bytes)) best = &row;
    }
    return best;
  }

  FitResult gathered() const {
    FitResult result;
    result.candidates = candidates_.size();
    for (const std::optional<FitRow>& row : rows_) {
      if (row) result.rows.push_back(*row);
    }
    result.rows.insert(result.rows.end(), reduced_.begin(), reduced_.end());
    markFront(result.rows);
    const FitRow* best = answer();
    for (std::size_t i = 0; i < result.rows.size(); ++i) {
      const FitRow& row = result.rows[i];
      const bool isAnswer =
          limitsSomething() ? best != nullptr && row.settings == best->settings : row.isKnee;
      if (isAnswer) result.best = i;
    }
    // A front without a knee: where bytes always pay, the nearest.
    if (!limitsSomething() && !result.best && !result.rows.empty()) {
      const auto nearest = std::ranges::min_element(result.rows, {}, vertexMm);
      result.best = static_cast<std::size_t>(nearest - result.rows.begin());
    }
    return result;
  }

  // Finds what would fit: another limit of the error, one of bytes, or a clip less.
  void advise(FitResult& result) {
    const std::size_t mostBytes = wish_.limits.bytes;
    std::optional<std::size_t> nearest;
    if (limitsError(wish_.limits.error)) {
      nearest = smallestError(mostBytes);
      if (nearest) adviseError(result, *rows_[*nearest]);
    }
    std::optional<std::size_t> smallest;
    if (mostBytes > 0 && !candidates_.empty()) {
      // By bytes alone, any error is an answer.
      smallest = limitsError(wish_.limits.error) ? fewestBytes(wish_.limits.error, 0)
                                                 : std::optional<std::size_t>(0);
      const FitRow* row = smallest ? measure(*smallest) : nullptr;
      if (row != nullptr) row = &smallestReduced(*row, wish_.limits.error);
      if (row != nullptr) {
        result.advice.push_back({.kind = FitAdvice::Kind::AllowBytes,
                                 .text = "allow " + bytesText(row->bytes, true),
                                 .row = *row});
        adviseDrop(result, *row, {});
      }
    }
    if (nearest && mostBytes == 0) {
      adviseDrop(result, *rows_[*nearest], figuresOf(*rows_[*nearest]).vertices.worstClip);
    }
    // The rows that were measured for it are kept.
    FitResult all = gathered();
    result.rows = std::move(all.rows);
  }

  // Offers the smallest atlas within the error that the nearest row has: others may be as near by
  // the number that is shown and take fewer bytes.
  void adviseError(FitResult& result, const FitRow& nearest) {
    const ErrorLimits allowed = limitsAllowing(nearest, wish_.limits.error);
    const auto fewest = fewestBytes(allowed, wish_.limits.bytes);
    reduceRows(allowed, wish_.limits.bytes);
    const FitRow& row = smallestReduced(fewest ? *rows_[*fewest] : nearest, allowed);
    result.advice.push_back(
        {.kind = FitAdvice::Kind::AllowError, .text = "allow " + allowedText(allowed), .row = row});
  }

  // The row of the fewest bytes among this one and those with frames left out, within the limits.
  const FitRow& smallestReduced(const FitRow& whole, const ErrorLimits& limits) const {
    const FitRow* row = &whole;
    for (const FitRow& reduced : reduced_) {
      if (meetsError(reduced, limits) && reduced.bytes < row->bytes) row = &reduced;
    }
    return *row;
  }

  // Without which clip a row would be within the limits: `only` that one is tried if it is named,
  // else the shortest whose bytes are enough.
  void adviseDrop(FitResult& result, const FitRow& row, const std::string& only) {
    const auto cost = bakeCost(character_, row.settings, job_.part(done_, done_));
    if (!cost || cost->clips.size() < 2) return;
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < cost->clips.size(); ++i) order.push_back(i);
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return cost->clips[i].bytes; });
    for (const std::size_t i : order) {
      if (!only.empty() && cost->clips[i].name != only) continue;
      const BakeSettings without = withoutClip(row.settings, i);
      const auto less = bakeCost(character_, without, job_.part(done_, done_));
      if (!less || (wish_.limits.bytes > 0 && less->bytes > wish_.limits.bytes)) continue;
      const auto there = measured(without);
      if (!there) error_ = there.error();
      if (!there || !there->isWithin) return;
      const std::size_t saved = row.bytes - std::min(row.bytes, there->bytes);
      const std::string& clip = cost->clips[i].name;
      result.advice.push_back(
          {.kind = FitAdvice::Kind::DropClip,
           .clip = clip,
           .text = fmt::format("drop '{}' (-{})", clip, bytesText(saved, false)),
           .row = *there});
      return;
    }
  }

  BakeSettings withoutClip(BakeSettings settings, std::size_t clip) const {
    if (settings.clips.empty()) {
      for (const Clip& each : character_.clips) settings.clips.push_back({.name = each.name});
    }
    settings.clips.erase(settings.clips.begin() + static_cast<std::ptrdiff_t>(clip));
    return settings;
  }

  // The limits that are larger than those of the wish.
  std::string allowedText(const ErrorLimits& allowed) const {
    const ErrorLimits& limits = wish_.limits.error;
    std::vector<std::string> parts;
    const auto name = [&parts](double limit, double value, std::string_view unit) {
      if (value > limit) parts.push_back(fmt::format("{} {}", upText(value), unit));
    };
    name(limits.vertexMm, allowed.vertexMm, "mm");
    name(limits.shellMm, allowed.shellMm, "mm at the shell");
    name(limits.pixels, allowed.pixels, "pixels");
    return fmt::format("{}", fmt::join(parts, " and "));
  }

  static constexpr std::size_t kFrontRows = 8;
  static constexpr double kFarOff = 20.0;     // times the limit
  static constexpr double kUselessMm = 50.0;  // where there is none

  const Character& character_;
  const FitWish& wish_;
  const JobContext& job_;
  const std::function<void(const FitRow&)>& found_;
  std::vector<FitCandidate> candidates_;
  std::vector<std::optional<FitRow>> rows_;  // one per candidate
  std::vector<FitRow> reduced_;              // that are smaller than with all frames
  std::optional<std::size_t> best_;          // of the candidates
  std::optional<Error> error_;
  float done_ = kBounded;
};

}  // namespace

void markFront(std::vector<FitRow>& rows) {
  std::ranges::stable_sort(rows, {}, [](const FitRow& row) {
    return std::tuple(row.bytes, vertexMm(row), row.fetches);
  });
  std::vector<FrontPoint> points;
  for (FitRow& row : rows) {
    row.isFront = false;
    row.isKnee = false;
    points.push_back({static_cast<double>(row.bytes), vertexMm(row)});
  }
  const std::vector<std::size_t> front = frontOf(points);
  for (const std::size_t i : front) rows[i].isFront = true;
  if (const auto knee = kneeOf(points, front)) rows[*knee].isKnee = true;
}

void takeSearched(const BakeSettings& found, BakeSettings& settings) {
  forEachSetting([&](const auto& setting) {
    if (setting.isSearched) settings.*setting.member = found.*setting.member;
  });
  settings.rateHz = found.rateHz;
  settings.frames = found.frames;
}

const ErrorFigures& figuresOf(const FitRow& row) {
  return row.settings.reading == Reading::Direct ? row.error.direct : row.error.palette;
}

std::string adviceSentence(const FitResult& result, const FitLimits& limits) {
  std::vector<std::string> asked;
  if (limits.error.vertexMm > 0.0) asked.push_back(fmt::format("{:g} mm", limits.error.vertexMm));
  if (limits.error.shellMm > 0.0) {
    asked.push_back(fmt::format("{:g} mm at the shell", limits.error.shellMm));
  }
  if (limits.error.pixels > 0.0) asked.push_back(fmt::format("{:g} pixels", limits.error.pixels));
  const std::string within = fmt::format("{}", fmt::join(asked, " and "));
  std::string text;
  if (asked.empty()) {
    text = fmt::format("Nothing takes at most {}", bytesText(limits.bytes, false));
  } else if (limits.bytes > 0) {
    text =
        fmt::format("Nothing within {} takes at most {}", within, bytesText(limits.bytes, false));
  } else {
    text = fmt::format("Nothing is within {}", within);
  }
  for (std::size_t i = 0; i < result.advice.size(); ++i) {
    const bool isLast = i + 1 == result.advice.size();
    text += i == 0 ? ": " : (isLast ? ", or " : ", ");
    text += result.advice[i].text;
  }
  return text + ".";
}

Result<FitResult> findAtlas(const Character& character, const FitWish& wish, JobContext job,
                            const std::function<void(const FitRow&)>& found) {
  return Search(character, wish, job, found).run();
}

}  // namespace ck

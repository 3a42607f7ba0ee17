#include "core/bake/morph_bake.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/anim/pose.h"
#include "core/bake/pose/window_sampler.h"
#include "core/bake/step_frames.h"
#include "core/morph/difference_set.h"

namespace ck {
namespace {

// Position deltas in the rest pose, in metres. Files may store a mesh in centimetres and scale it
// by its joints.
std::vector<DifferenceMesh> seenDifferences(const Character& character, const MorphSet& set,
                                            const JobContext& job) {
  DifferenceSet all = differenceSet(character, set, job);
  const std::vector<glm::dmat4> skins = skinMatrices(character.rig, restMatrices(character.rig));
  std::vector<glm::dmat3> seen;
  for (const Mesh& mesh : character.meshes) {
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      const auto influences = influencesOf(mesh, v);
      seen.push_back(influences.empty()
                         ? glm::dmat3(1.0)
                         : glm::dmat3(skins[static_cast<std::size_t>(influences[0].skinJoint)]));
    }
  }
  for (DifferenceMesh& morph : all.morphs) {
    if (job.stopRequested()) return {};
    for (std::size_t i = 0; i < morph.places.size(); ++i) {
      const std::uint32_t vertex = all.vertices[morph.places[i]];
      morph.positions[i] = glm::vec3(seen[vertex] * glm::dvec3(morph.positions[i]));
    }
  }
  return std::move(all.morphs);
}

double squaredLength(const DifferenceMesh& morph) {
  double sum = 0.0;
  for (const glm::vec3& delta : morph.positions)
    sum += glm::dot(glm::dvec3(delta), glm::dvec3(delta));
  return sum;
}

// The morphs that the frames move, those that displace most first.
std::vector<int> movingMorphs(const MorphSet& set, const std::vector<DifferenceMesh>& morphs,
                              const std::vector<std::vector<float>>& frames) {
  std::vector<std::pair<double, int>> energies;
  for (std::size_t m = 0; m < set.size(); ++m) {
    double energy = 0.0;
    for (const std::vector<float>& weights : frames) {
      const double off =
          static_cast<double>(weights[m]) - static_cast<double>(set[m].defaultWeight);
      energy += off * off;
    }
    if (energy > 0.0) {
      energies.emplace_back(-energy * squaredLength(morphs[m]), static_cast<int>(m));
    }
  }
  std::sort(energies.begin(), energies.end());
  std::vector<int> moving;
  moving.reserve(energies.size());
  for (const auto& [energy, morph] : energies) moving.push_back(morph);
  return moving;
}

MorphSlot slotFor(int morph, const std::vector<std::vector<float>>& frames) {
  const auto m = static_cast<std::size_t>(morph);
  float low = frames[0][m];
  float high = low;
  for (const std::vector<float>& weights : frames) {
    low = std::min(low, weights[m]);
    high = std::max(high, weights[m]);
  }
  return {morph, low, high - low};
}

std::uint16_t numberOf(const MorphSlot& slot, const MorphForm& form, float weight) {
  if (!(slot.size > 0.0f)) return 0;
  const double unit = (static_cast<double>(weight) - static_cast<double>(slot.low)) /
                      static_cast<double>(slot.size);
  return static_cast<std::uint16_t>(std::lround(std::clamp(unit, 0.0, 1.0) * form.steps()));
}

// The largest displacement caused by a difference of weights, in metres.
double displacement(const std::vector<DifferenceMesh>& morphs, const std::vector<float>& a,
                    const std::vector<float>& b, std::vector<glm::dvec3>& scratch) {
  std::fill(scratch.begin(), scratch.end(), glm::dvec3(0.0));
  for (std::size_t m = 0; m < morphs.size(); ++m) {
    const double off = static_cast<double>(a[m]) - static_cast<double>(b[m]);
    if (off == 0.0) continue;
    for (std::size_t i = 0; i < morphs[m].places.size(); ++i) {
      scratch[morphs[m].places[i]] += off * glm::dvec3(morphs[m].positions[i]);
    }
  }
  double most = 0.0;
  for (const glm::dvec3& delta : scratch) most = std::max(most, glm::length(delta));
  return most;
}

constexpr float kAnyWeight = std::numeric_limits<float>::infinity();

tl::unexpected<Error> stopped() {
  return fail(ErrorCode::Cancelled, "the bake was stopped");
}

// Weights of the set on every stored frame of a window.
Result<std::vector<std::vector<float>>> frameWeights(const MorphSet& set, const BakeWindow& window,
                                                     const WindowWeights& source,
                                                     const JobContext& job) {
  std::vector<std::vector<float>> frames;
  for (const StoredFrame& frame : storedFrames(window)) {
    if (job.stopRequested()) return stopped();
    frames.push_back(source.at(frame.seconds, frame.heldSeconds));
    if (auto ok = checkMorphWeights(set, frames.back()); !ok) {
      return fail(ok.error().code,
                  fmt::format("clip '{}': {}", window.motion->name, ok.error().message));
    }
  }
  // Make the last frame of a loop equal to the first, as for joints.
  if (window.loop == LoopMode::Loop && window.seam != Seam::None) frames.back() = frames.front();
  return frames;
}

// Keeps the first of `moving`, as many as there are slots.
AtlasClipMorphs keptWeights(std::vector<int> moving, const MorphForm& form,
                            const std::vector<std::vector<float>>& frames) {
  const auto slots = static_cast<std::size_t>(form.slotCount);
  AtlasClipMorphs clip;
  if (moving.size() > slots) moving.resize(slots);
  std::sort(moving.begin(), moving.end());
  for (const int morph : moving) clip.kept.push_back(slotFor(morph, frames));
  if (clip.kept.empty()) return clip;
  clip.weights.resize(frames.size() * slots);
  for (std::size_t f = 0; f < frames.size(); ++f) {
    for (std::size_t s = 0; s < clip.kept.size(); ++s) {
      const MorphSlot& slot = clip.kept[s];
      clip.weights[f * slots + s] =
          numberOf(slot, form, frames[f][static_cast<std::size_t>(slot.morph)]);
    }
  }
  return clip;
}

// The decoded weights of a clip of an atlas, in the order of a set.
struct DecodedWeights {
  const AtlasMorphs& baked;
  int clip = 0;
  std::span<const float> defaults;  // of the set
  FrameGrid grid;
  std::span<const int> stored;  // for each morph of the set, its index in `baked`, or -1

  std::vector<float> at(double unit) const {
    return ofSet(bakedMorphWeights(baked, clip, unit, grid));
  }
  std::vector<float> atFrame(int frame) const {
    return ofSet(storedMorphWeights(baked, clip, frame));
  }

 private:
  std::vector<float> ofSet(const std::vector<float>& all) const {
    std::vector<float> weights(defaults.begin(), defaults.end());
    for (std::size_t m = 0; m < weights.size(); ++m) {
      if (stored[m] >= 0) weights[m] = all[static_cast<std::size_t>(stored[m])];
    }
    return weights;
  }
};

// How far decoded weights move vertices from where the source has them, in millimetres: the largest
// distance at the moments and halfway between two of them.
Result<double> lossOf(const DecodedWeights& decoded, const std::vector<DifferenceMesh>& morphs,
                      const std::vector<std::vector<float>>& frames, const BakeWindow& window,
                      const WindowWeights& source, const JobContext& job) {
  std::size_t places = 0;
  for (const DifferenceMesh& morph : morphs) {
    if (!morph.places.empty()) places = std::max(places, std::size_t{morph.places.back()} + 1);
  }
  std::vector<glm::dvec3> scratch(places);
  const std::vector<double> times = frameTimes(window);
  const std::size_t last = 2 * (times.size() - 1);
  double most = 0.0;
  for (std::size_t i = 0; i <= last; ++i) {
    if (job.stopRequested()) return stopped();
    const double unit = static_cast<double>(i) / static_cast<double>(last);
    const int moment = static_cast<int>(i / 2);
    const int frame = frameOfMoment(moment, decoded.grid);
    const bool isStored = i % 2 == 0 && momentOfFrame(frame, decoded.grid) == moment;
    const std::vector<float> exact = isStored ? frames[static_cast<std::size_t>(frame)]
                                     : i % 2 == 0
                                         ? source.at(times[i / 2])
                                         : source.at((times[i / 2] + times[i / 2 + 1]) * 0.5);
    most = std::max(most, displacement(morphs, exact, decoded.at(unit), scratch));
    job.report(static_cast<float>(unit), "Baking morph weights");
  }
  return most * 1000.0;
}

tl::unexpected<Error> wrongWeights(const Character& character, const std::string& why) {
  return fail(ErrorCode::InvalidInput,
              fmt::format("{}: the morph weights of the atlas are not those of this rig: {}",
                          character.name, why));
}

// Compares the decoded weights of a clip with those of its frames.
Result<void> checkClipWeights(const Character& character, const MorphSet& set,
                              const BakeWindow& window, const DecodedWeights& decoded,
                              const std::vector<std::vector<float>>& frames) {
  constexpr float kRounding = 1e-5f;
  const AtlasClipMorphs& clip = decoded.baked.clips[static_cast<std::size_t>(decoded.clip)];
  const MorphForm& form = decoded.baked.form;
  const bool keepsAll = clip.kept.size() < static_cast<std::size_t>(form.slotCount);
  const float halfStep = 0.5f / static_cast<float>(form.steps());
  std::vector<float> allowed(set.size(), keepsAll ? kRounding : kAnyWeight);
  for (std::size_t m = 0; m < set.size(); ++m) {
    if (decoded.stored[m] < 0) allowed[m] = kRounding;
    for (const MorphSlot& slot : clip.kept) {
      if (slot.morph == decoded.stored[m]) allowed[m] = slot.size * halfStep + kRounding;
    }
  }
  const std::vector<StoredFrame> stored = storedFrames(window);
  for (std::size_t f = 0; f < frames.size(); ++f) {
    const std::vector<float> shown = decoded.atFrame(static_cast<int>(f));
    for (std::size_t m = 0; m < set.size(); ++m) {
      if (std::abs(shown[m] - frames[f][m]) <= allowed[m] + kRounding * std::abs(shown[m]))
        continue;
      return wrongWeights(character, fmt::format("clip '{}' gives '{}' {:.4f} at {:.4f} s, and the "
                                                 "source {:.4f}",
                                                 window.motion->name, set[m].name, shown[m],
                                                 stored[f].seconds, frames[f][m]));
    }
  }
  return {};
}

}  // namespace

Result<BakedMorphs> bakeMorphs(const Character& character, const std::vector<BakeWindow>& windows,
                               const MorphForm& form, const JobContext& job) {
  const MorphSet set = morphSetOf(character);
  BakedMorphs result;
  AtlasMorphs& baked = result.atlas;
  if (set.empty()) return result;
  baked.form = form;
  for (const NamedMorph& morph : set) baked.names.push_back(morph.name);
  baked.defaults = defaultWeights(set);
  if (auto ok = checkMorphWeights(set, baked.defaults); !ok) return tl::unexpected(ok.error());
  const std::vector<DifferenceMesh> morphs = seenDifferences(character, set, job);
  std::vector<int> own(set.size());
  std::iota(own.begin(), own.end(), 0);
  for (const BakeWindow& window : windows) {
    if (job.stopRequested()) return stopped();
    const auto done = static_cast<float>(baked.clips.size());
    const auto all = static_cast<float>(windows.size());
    const WindowWeights source(set, *window.motion, window.closingSeconds);
    const auto frames = frameWeights(set, window, source, job);
    if (!frames) return tl::unexpected(frames.error());
    std::vector<int> moving = movingMorphs(set, morphs, *frames);
    result.moved.push_back(static_cast<int>(moving.size()));
    baked.clips.push_back(keptWeights(std::move(moving), form, *frames));
    if (window.motion->morphTracks.empty()) continue;
    const DecodedWeights decoded{baked, static_cast<int>(baked.clips.size()) - 1, baked.defaults,
                                 frameGridOf(window), own};
    const auto loss =
        lossOf(decoded, morphs, *frames, window, source, job.part(done / all, (done + 1.0f) / all));
    if (!loss) return tl::unexpected(loss.error());
    baked.clips.back().lossMm = *loss;
  }
  return result;
}

Result<void> checkBakedMorphs(const Character& character, const std::vector<BakeWindow>& windows,
                              const AtlasMorphs& baked, const JobContext& job) {
  constexpr double kSameMm = 1e-3;
  const MorphSet set = morphSetOf(character);
  const std::vector<float> defaults = defaultWeights(set);
  const std::vector<int> stored = storedMorphs(set, baked.names);
  for (std::size_t i = 0; i < baked.names.size(); ++i) {
    if (std::ranges::find(stored, static_cast<int>(i)) != stored.end()) continue;
    return wrongWeights(character, fmt::format("the rig has no morph target '{}'", baked.names[i]));
  }
  for (std::size_t m = 0; m < set.size(); ++m) {
    if (stored[m] < 0) continue;
    const float stated = baked.defaults[static_cast<std::size_t>(stored[m])];
    if (stated == defaults[m]) continue;
    return wrongWeights(character, fmt::format("'{}' has the default {} there and {} here",
                                               set[m].name, stated, defaults[m]));
  }
  if (baked.empty()) {
    const auto moving = std::ranges::find_if(
        windows, [](const BakeWindow& window) { return !window.motion->morphTracks.empty(); });
    if (set.empty() || moving == windows.end()) return {};
    return wrongWeights(character, fmt::format("clip '{}' moves morph targets, and the atlas has "
                                               "no weights; bake it again",
                                               moving->motion->name));
  }
  const std::vector<DifferenceMesh> morphs = seenDifferences(character, set, job);
  for (std::size_t w = 0; w < windows.size(); ++w) {
    const BakeWindow& window = windows[w];
    const WindowWeights source(set, *window.motion, window.closingSeconds);
    const auto frames = frameWeights(set, window, source, job);
    if (!frames) return tl::unexpected(frames.error());
    const DecodedWeights decoded{baked, static_cast<int>(w), defaults, frameGridOf(window), stored};
    if (auto ok = checkClipWeights(character, set, window, decoded, *frames); !ok) return ok;
    const double stated = baked.clips[w].lossMm;
    double measured = 0.0;
    if (!window.motion->morphTracks.empty()) {
      const auto loss = lossOf(decoded, morphs, *frames, window, source, job);
      if (!loss) return tl::unexpected(loss.error());
      measured = *loss;
    }
    if (std::abs(stated - measured) <= kSameMm) continue;
    return wrongWeights(character, fmt::format("clip '{}' states that they lose {:.4f} mm, but "
                                               "{:.4f} mm was measured",
                                               window.motion->name, stated, measured));
  }
  return {};
}

}  // namespace ck

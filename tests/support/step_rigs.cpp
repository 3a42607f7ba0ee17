#include "tests/support/step_rigs.h"

#include <algorithm>
#include <cmath>

#include "tests/support/bake_rigs.h"

namespace ck::test {
namespace {

constexpr double kStep = 1.0 / 30.0;

template <class Value>
Track<Value> stepTrack(double start, const std::vector<int>& frames,
                       const std::vector<Value>& values) {
  Track<Value> track;
  track.interpolation = Interpolation::Step;
  for (const int frame : frames) track.times.push_back(start + frame * kStep);
  track.values = values;
  return track;
}

glm::vec3 size(float scale) {
  return glm::vec3(scale);
}

void addSteps(Clip& clip, const std::vector<int>& frames, const std::vector<float>& scales) {
  std::vector<glm::vec3> sizes;
  std::vector<glm::vec3> places;
  for (std::size_t i = 0; i < scales.size(); ++i) {
    sizes.push_back(size(scales[i]));
    places.emplace_back(0.1f * scales[i], 0.3f, -0.2f * scales[i]);
  }
  clip.jointTracks[kPropJoint].scale = stepTrack(clip.startSeconds, frames, sizes);
  clip.jointTracks[2].translation = stepTrack(clip.startSeconds, frames, places);
}

template <class Change>
void forTracks(Clip& clip, const Change& change) {
  for (JointTracks& tracks : clip.jointTracks) {
    change(tracks.translation);
    change(tracks.rotation);
    change(tracks.scale);
  }
}

}  // namespace

Character steppingLimb(double amplitudeRadians) {
  Character limb = limbCharacter();
  limb.name = "stepping";
  const auto swing = [&](Swing wanted) {
    wanted.amplitudeRadians = amplitudeRadians;
    return swingClip(limb, wanted);
  };
  limb.clips.push_back(swing({.name = "Loop"}));
  addSteps(limb.clips.back(), {0, 10, 20, 30}, {1.0f, 0.0f, 0.5f, 1.0f});
  limb.clips.push_back(swing({.name = "Away", .keyCount = 30, .startSeconds = 0.5}));
  addSteps(limb.clips.back(), {0, 12, 29}, {1.0f, 0.0f, 0.0f});
  limb.clips.push_back(swing({.name = "Once", .keyCount = 20, .startSeconds = -0.25}));
  addSteps(limb.clips.back(), {0, 5, 6, 19}, {0.0f, 1.0f, 0.0f, 1.0f});
  limb.clips.push_back(swing({.name = "Stepped", .keyCount = 12}));
  forTracks(limb.clips.back(), [](auto& track) { track.interpolation = Interpolation::Step; });
  return limb;
}

Character limbWithoutSteps() {
  Character limb = steppingLimb();
  for (Clip& clip : limb.clips) {
    forTracks(clip, [](auto& track) {
      if (track.interpolation != Interpolation::Step || track.empty()) return;
      std::fill(track.values.begin(), track.values.end(), track.values.front());
    });
  }
  return limb;
}

BakeSettings steppingSettings() {
  BakeSettings settings;
  settings.clips = {{.name = "Loop", .seam = SeamChoice::Inclusive},
                    {.name = "Away", .seam = SeamChoice::Exclusive},
                    {.name = "Once", .seam = SeamChoice::None},
                    {.name = "Stepped", .seam = SeamChoice::None}};
  return settings;
}

void addStepMorphs(Character& character) {
  Mesh& mesh = character.meshes.front();
  for (int target = 0; target < 2; ++target) {
    MorphTarget morph;
    morph.name = target == 0 ? "jump" : "rise";
    for (std::uint32_t v = 0; v < mesh.positions.size(); ++v) {
      morph.vertices.push_back(v);
      morph.positionDeltas.emplace_back(0.0f, 0.0f, 0.1f);
    }
    mesh.morphTargets.push_back(morph);
    mesh.defaultMorphWeights.push_back(0.0f);
  }
  for (Clip& clip : character.clips) {
    const int third = static_cast<int>(std::lround(clip.durationSeconds / kStep / 3.0));
    clip.morphTracks.push_back(
        {0, 0, stepTrack<float>(clip.startSeconds, {0, third, 2 * third}, {0.0f, 1.0f, 0.0f})});
    Track<float> rise;
    rise.times = {clip.startSeconds, clip.startSeconds + clip.durationSeconds};
    rise.values = {0.0f, 1.0f};
    clip.morphTracks.push_back({0, 1, rise});
  }
}

bool isNearKey(const Clip& clip, double seconds) {
  const std::vector<double> keys = keyTimes(clip);
  return std::any_of(keys.begin(), keys.end(),
                     [seconds](double key) { return std::abs(key - seconds) < 1e-4; });
}

}  // namespace ck::test

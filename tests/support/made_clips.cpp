#include "tests/support/made_clips.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/anim/clip_sampler.h"
#include "core/anim/edited_clip.h"
#include "core/anim/pose.h"
#include "core/bake/bake.h"
#include "core/morph/morph_set.h"
#include "core/skinning/cpu_skinning.h"

namespace ck::test {
namespace {

// SplitMix64: the standard's distributions differ between libraries.
class Lot {
 public:
  explicit Lot(std::uint64_t seed) : state_((seed + 1) * 0xd1342543de82ef95ull) {}

  double unit() {
    state_ += 0x9e3779b97f4a7c15ull;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
  }
  double within(double low, double high) { return low + (high - low) * unit(); }
  std::size_t below(std::size_t count) {
    return std::min(count - 1, static_cast<std::size_t>(unit() * static_cast<double>(count)));
  }
  glm::dvec3 cube(double half) {
    const double x = within(-half, half);
    const double y = within(-half, half);
    return {x, y, within(-half, half)};
  }
  template <class Value, std::size_t Count>
  Value of(const std::array<Value, Count>& values) {
    return values[below(Count)];
  }

 private:
  std::uint64_t state_;
};

glm::quat turned(const glm::dquat& rest, const glm::dvec3& rotationVector) {
  const double angle = glm::length(rotationVector);
  if (angle < 1e-9) return glm::quat(rest);
  return glm::normalize(glm::quat(rest * glm::angleAxis(angle, rotationVector / angle)));
}

// Rings of four vertices around each bone, each with up to `influences` joints.
Mesh sleeve(Lot& lot, const std::vector<glm::dmat4>& rest, int influences) {
  Mesh mesh;
  mesh.name = "Sleeve";
  mesh.influenceStarts.push_back(0);
  const std::size_t joints = rest.size();
  for (std::size_t joint = 0; joint < joints; ++joint) {
    for (int corner = 0; corner < 16; ++corner) {
      const double angle = 1.5707963 * corner;
      const glm::dvec3 at(0.06 * std::cos(angle), 0.07 * (corner / 4), 0.06 * std::sin(angle));
      mesh.positions.emplace_back(transformPoint(rest[joint], at));
      mesh.normals.emplace_back(std::cos(angle), 0.0, std::sin(angle));
      const std::size_t count = 1 + lot.below(std::min<std::size_t>(influences, joints));
      std::vector<Influence> own;
      float left = 1.0f;
      for (std::size_t i = 0; i < count; ++i) {
        const float weight = i + 1 == count ? left : left * static_cast<float>(lot.within(.5, .8));
        own.push_back({static_cast<int>((joint + i) % joints), weight});
        left -= weight;
      }
      std::stable_sort(own.begin(), own.end(),
                       [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
      mesh.influences.insert(mesh.influences.end(), own.begin(), own.end());
      mesh.influenceStarts.push_back(static_cast<std::uint32_t>(mesh.influences.size()));
    }
  }
  for (std::uint32_t v = 0; v + 5 < mesh.positions.size(); ++v) {
    mesh.indices.insert(mesh.indices.end(), {v, v + 1, v + 4});
  }
  return mesh;
}

Character chain(Lot& lot, int jointCount, int influences) {
  Character character;
  character.name = "chain";
  for (int j = 0; j < jointCount; ++j) {
    Joint joint;
    joint.name = "joint" + std::to_string(j);
    joint.parent = j - 1;
    if (j > 0) joint.rest.translation = {0.0, 0.3, 0.0};
    joint.rest.rotation = glm::dquat(turned({1.0, 0.0, 0.0, 0.0}, lot.cube(0.4)));
    character.rig.joints.push_back(joint);
  }
  const std::vector<glm::dmat4> rest = restMatrices(character.rig);
  for (int j = 0; j < jointCount; ++j) {
    character.rig.skinJoints.push_back({j, affineInverse(rest[static_cast<std::size_t>(j)])});
  }
  character.meshes.push_back(sleeve(lot, rest, influences));
  character.source.path = "chain.glb";
  character.source.format = "built in code";
  return character;
}

// When the keys of a clip lie.
struct Timing {
  double start = 0.0;
  double step = 0.1;
  int keys = 2;
};

template <class Value, class Make, class Tangent>
Track<Value> track(Lot& lot, Interpolation interpolation, const Timing& timing, const Make& make,
                   const Tangent& tangent) {
  Track<Value> result;
  result.interpolation = interpolation;
  for (int key = 0; key < timing.keys; ++key) {
    result.times.push_back(timing.start + timing.step * key);
    if (interpolation != Interpolation::Cubic) {
      result.values.push_back(make(lot));
      continue;
    }
    // A statement for each: the order of arguments is not defined.
    const Value in = tangent(lot, timing.step);
    const Value value = make(lot);
    const Value out = tangent(lot, timing.step);
    result.values.insert(result.values.end(), {in, value, out});
  }
  return result;
}

Interpolation drawn(Lot& lot, MadeKeys keys) {
  if (keys == MadeKeys::Linear) return Interpolation::Linear;
  if (keys == MadeKeys::Cubic) return Interpolation::Cubic;
  if (keys == MadeKeys::Step) return Interpolation::Step;
  return lot.of<Interpolation, 3>(
      {Interpolation::Linear, Interpolation::Cubic, Interpolation::Step});
}

// The parts that move, and how far.
struct Movement {
  MadeKeys keys = MadeKeys::Linear;
  double turn = 0.8;       // radians, each way
  double slope = 2.0;      // of tangents, times the step
  bool scattered = false;  // each joint's keys begin at a moment of their own
  bool scales = false;
};

Clip clipFor(Lot& lot, const Character& character, const Timing& timing, const Movement& movement) {
  Clip clip;
  clip.name = "Move";
  for (std::size_t j = 0; j < character.rig.joints.size(); ++j) {
    const Trs& rest = character.rig.joints[j].rest;
    Timing own = timing;
    if (movement.scattered) own.start += lot.within(0.0, timing.step);
    const auto rotation = [&](Lot& from) {
      return turned(rest.rotation, from.cube(movement.turn));
    };
    const auto spin = [&](Lot& from, double step) {
      const double most = movement.slope * movement.turn / step;
      const glm::dvec3 xyz = from.cube(0.5 * most);
      const double w = from.within(-0.5 * most, 0.5 * most);
      return glm::quat(glm::dquat(w, xyz.x, xyz.y, xyz.z));
    };
    JointTracks tracks;
    tracks.joint = static_cast<int>(j);
    tracks.rotation = track<glm::quat>(lot, drawn(lot, movement.keys), own, rotation, spin);
    if (j == 0 || lot.unit() < 0.15) {
      const auto place = [&](Lot& from) { return glm::vec3(rest.translation + from.cube(0.15)); };
      const auto speed = [&](Lot& from, double step) {
        return glm::vec3(from.cube(0.15 * movement.slope / step));
      };
      tracks.translation = track<glm::vec3>(lot, drawn(lot, movement.keys), own, place, speed);
    }
    if (movement.scales && lot.unit() < 0.4) {
      const auto size = [](Lot& from) {
        return glm::vec3(static_cast<float>(from.within(0.6, 1.4)));
      };
      const auto growth = [&](Lot& from, double step) {
        return glm::vec3(static_cast<float>(from.within(-0.3, 0.3) * movement.slope / step));
      };
      tracks.scale = track<glm::vec3>(lot, drawn(lot, movement.keys), own, size, growth);
    }
    clip.jointTracks.push_back(tracks);
  }
  const std::vector<double> times = keyTimes(clip);
  clip.startSeconds = times.front();
  clip.durationSeconds = times.back() - times.front();
  return clip;
}

// The last key of every track is its first.
void close(Clip& clip) {
  const auto closeTrack = [](auto& track) {
    if (track.empty()) return;
    const std::size_t each = track.values.size() / track.times.size();
    std::copy_n(track.values.begin(), each, track.values.end() - static_cast<std::ptrdiff_t>(each));
  };
  for (JointTracks& tracks : clip.jointTracks) {
    closeTrack(tracks.translation);
    closeTrack(tracks.rotation);
    closeTrack(tracks.scale);
  }
}

std::string setFrames(Lot& lot, BakeSettings& settings) {
  switch (lot.below(7)) {
    case 0:
    case 1:
      return "on the key grid";
    case 2:
      settings.rateHz = lot.of<double, 3>({15.0, 24.0, 60.0});
      return fmt::format("at {} Hz", settings.rateHz);
    case 3:
    case 4:
      settings.rateHz = 30.0;
      return "at 30 Hz";
    case 5:
      settings.frames = 2 + static_cast<int>(lot.below(60));
      return fmt::format("as {} frames", settings.frames);
    default:
      settings.layout = LayoutKind::Tiles;
      settings.tile = lot.of<int, 3>({16, 32, 64});
      return fmt::format("in tiles of {}", settings.tile);
  }
}

std::string setEdit(Lot& lot, const Clip& clip, BakeSettings& settings) {
  BakeClip wish{.name = clip.name};
  std::string said;
  if (lot.unit() < 0.25) {
    const double start = clip.startSeconds + lot.within(0.0, 0.3) * clip.durationSeconds;
    const double end = clip.startSeconds + lot.within(0.6, 1.0) * clip.durationSeconds;
    wish.edit.trim = Trim{start, end};
    said += fmt::format(", cut to {:.4f} .. {:.4f} s", start, end);
  }
  if (lot.unit() < 0.2) {
    wish.edit.rate = lot.within(0.5, 2.0);
    said += fmt::format(", {:.3f} times as fast", wish.edit.rate);
  }
  if (lot.unit() < 0.3) {
    wish.seam =
        lot.of<SeamChoice, 3>({SeamChoice::Inclusive, SeamChoice::Exclusive, SeamChoice::None});
    said += fmt::format(", seam {}", seamChoiceName(wish.seam));
  }
  if (lot.unit() < 0.2) {
    wish.loop = LoopMode::PingPong;
    said += ", ping-pong";
  }
  settings.clips = {wish};
  return said;
}

glm::dmat4 matrixBetween(const Trs& a, const Trs& b, double t) {
  return toMatrix({a.translation + (b.translation - a.translation) * t,
                   slerpShortest(a.rotation, b.rotation, t), a.scale + (b.scale - a.scale) * t});
}

// Skin matrices of the source. In a closing step every joint moves from its last to its first pose.
std::vector<glm::dmat4> sourceAt(const Rig& rig, const Clip& clip, double closing, double seconds) {
  const double lastKey = clip.startSeconds + clip.durationSeconds;
  if (closing <= 0.0 || seconds <= lastKey) return skinMatricesAt(rig, clip, seconds);
  std::vector<Trs> first = sampleClip(rig, clip, clip.startSeconds);
  const std::vector<Trs> last = sampleClip(rig, clip, lastKey);
  const double share = (seconds - lastKey) / closing;
  // Properties that step are held until the end.
  if (share < 1.0 - 1e-9) holdSteps(clip, lastKey, first);
  std::vector<glm::dmat4> globals;
  for (std::size_t j = 0; j < rig.joints.size(); ++j) {
    const Joint& joint = rig.joints[j];
    const glm::dmat4 local = joint.preTransform * matrixBetween(last[j], first[j], share);
    globals.push_back(joint.parent < 0 ? local
                                       : globals[static_cast<std::size_t>(joint.parent)] * local);
  }
  return skinMatrices(rig, globals);
}

std::vector<float> morphsAt(const MorphSet& set, const Clip& clip, double closing, double seconds) {
  const double lastKey = clip.startSeconds + clip.durationSeconds;
  std::vector<float> weights = sampleMorphs(set, clip, std::min(seconds, lastKey));
  if (closing <= 0.0 || seconds <= lastKey) return weights;
  const std::vector<float> first = sampleMorphs(set, clip, clip.startSeconds);
  const auto t = static_cast<float>((seconds - lastKey) / closing);
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] += t * (first[i] - weights[i]);
  return weights;
}

double shellMm(const Rig& rig, const std::vector<glm::dmat4>& a, const std::vector<glm::dmat4>& b) {
  double worst = 0.0;
  for (std::size_t j = 0; j < a.size(); ++j) {
    const glm::dvec3 pivot = pivotOf(rig.skinJoints[j]);
    for (int axis = 0; axis < 3; ++axis) {
      glm::dvec3 point = pivot;
      point[axis] += 0.03;
      worst =
          std::max(worst, glm::distance(transformPoint(a[j], point), transformPoint(b[j], point)));
    }
  }
  return worst * 1000.0;
}

double vertexMm(const Mesh& mesh, const std::vector<glm::dmat4>& source,
                const std::vector<glm::dmat4>& drawn, const std::vector<float>& sourceMorphs,
                const std::vector<float>& drawnMorphs, int influences) {
  const SkinnedMesh right = skinMesh(mesh, source, {.morphWeights = sourceMorphs});
  const SkinnedMesh shown =
      skinMesh(mesh, drawn, {.influenceLimit = influences, .morphWeights = drawnMorphs});
  double worst = 0.0;
  for (std::size_t v = 0; v < right.positions.size(); ++v) {
    worst = std::max(worst, glm::distance(right.positions[v], shown.positions[v]));
  }
  return worst * 1000.0;
}

}  // namespace

MadeClip madeClip(std::uint32_t seed) {
  Lot lot(seed);
  constexpr std::array<const char*, 4> kNames = {"linear", "cubic", "step", "mixed"};
  MadeClip made;
  made.character = chain(lot, 2 + static_cast<int>(lot.below(4)), 6);
  Movement movement;
  const std::size_t keys = lot.below(4);
  movement.keys = static_cast<MadeKeys>(keys);
  movement.turn = lot.of<double, 3>({0.2, 0.6, 1.5});
  movement.slope = lot.within(0.2, 3.0);
  movement.scattered = lot.unit() < 0.5;
  movement.scales = lot.unit() < 0.3;
  Timing timing;
  timing.start = lot.within(-1.0, 5.0);
  timing.step =
      lot.unit() < 0.7 ? 1.0 / static_cast<double>(1 + lot.below(24)) : lot.within(1.0 / 24.0, 1.0);
  const int most = std::max(2, static_cast<int>(2.0 / timing.step));
  timing.keys = 2 + static_cast<int>(lot.below(static_cast<std::size_t>(most)));
  Clip clip = clipFor(lot, made.character, timing, movement);
  if (lot.unit() < 0.4) close(clip);
  made.character.clips.push_back(clip);
  made.title = fmt::format("seed {}: {} joints, {} keys of {}{} {:.4f} s apart, ", seed,
                           made.character.rig.joints.size(), timing.keys, kNames[keys],
                           movement.scattered ? " scattered" : "", timing.step);
  made.title += setFrames(lot, made.settings);
  made.title += setEdit(lot, made.character.clips[0], made.settings);
  // Which of these clips R64 and R32 can hold is a question of its own.
  std::vector<Encoding> encodings;
  for (const EncodingInfo& info : allEncodings()) {
    if (standsAlone(info)) encodings.push_back(info.encoding);
  }
  made.settings.encoding = encodings[lot.below(encodings.size())];
  made.settings.influences = lot.of<int, 3>({1, 2, 4});
  made.settings.interpolate = lot.unit() < 0.9;
  made.title +=
      fmt::format(", {}, {} influences{}", encodingInfo(made.settings).name,
                  made.settings.influences, made.settings.interpolate ? "" : ", nearest frame");
  return made;
}

Character cubicChain(double stepSeconds, std::uint32_t seed, double turn) {
  Lot lot(seed);
  Character character = chain(lot, 5, 4);
  const Timing timing{0.0, stepSeconds, 2 + static_cast<int>(1.0 / stepSeconds)};
  character.clips.push_back(
      clipFor(lot, character, timing, {.keys = MadeKeys::Cubic, .turn = turn}));
  return character;
}

void addMorphs(Character& character, std::uint32_t seed) {
  Lot lot(seed);
  Mesh& mesh = character.meshes.front();
  Clip& clip = character.clips.front();
  for (int target = 0; target < 2; ++target) {
    MorphTarget morph;
    morph.name = "morph" + std::to_string(target);
    for (std::uint32_t v = static_cast<std::uint32_t>(target); v < mesh.positions.size(); v += 3) {
      morph.vertices.push_back(v);
      morph.positionDeltas.emplace_back(lot.cube(0.05));
    }
    mesh.morphTargets.push_back(morph);
    mesh.defaultMorphWeights.push_back(0.0f);
    const Timing timing{clip.startSeconds, clip.durationSeconds / 4.0, 5};
    const auto weight = [](Lot& from) { return static_cast<float>(from.unit()); };
    const auto slope = [](Lot& from, double step) {
      return static_cast<float>(from.within(-1.0, 1.0) / step);
    };
    clip.morphTracks.push_back(
        {0, target, track<float>(lot, Interpolation::Cubic, timing, weight, slope)});
  }
}

std::vector<double> randomUnits(std::size_t count, std::uint32_t seed) {
  Lot lot(seed);
  std::vector<double> units;
  for (std::size_t i = 0; i < count; ++i) units.push_back(lot.unit());
  return units;
}

SampledError sampledError(const Character& character, const Atlas& atlas, int clip, Reading reading,
                          std::span<const double> units) {
  const AtlasClip& baked = atlas.clips[static_cast<std::size_t>(clip)];
  const auto source = std::find_if(character.clips.begin(), character.clips.end(),
                                   [&](const Clip& c) { return c.name == sourceNameOf(baked); });
  const Clip edited = *editedClip(character, *source, baked.edit);
  const double closing =
      baked.seam == Seam::Exclusive ? baked.durationSeconds - edited.durationSeconds : 0.0;
  const MorphSet morphs = morphSetOf(character);
  SampledError error;
  for (const double unit : units) {
    // The end shows the last key's value, wherever rounding puts that key.
    const double seconds =
        baked.startSeconds + unit * baked.durationSeconds + (unit >= 1.0 ? 1e-9 : 0.0);
    const auto a = sourceAt(character.rig, edited, closing, seconds);
    const auto b = atlasSkinMatrices(atlas, clip, unit, reading, atlas.recipe.interpolate);
    const double shell = shellMm(character.rig, a, b);
    if (shell > error.shellMm) error.shellUnit = unit;
    error.shellMm = std::max(error.shellMm, shell);
    const std::vector<float> asked = morphsAt(morphs, edited, closing, seconds);
    const std::vector<float> kept =
        morphs.empty() ? asked : bakedMorphWeights(atlas.morphs, clip, unit, frameGridOf(baked));
    for (std::size_t m = 0; m < character.meshes.size(); ++m) {
      const double vertex = vertexMm(
          character.meshes[m], a, b, weightsOfMesh(morphs, character, static_cast<int>(m), asked),
          weightsOfMesh(morphs, character, static_cast<int>(m), kept), atlas.recipe.influences);
      if (vertex > error.vertexMm) error.vertexUnit = unit;
      error.vertexMm = std::max(error.vertexMm, vertex);
    }
  }
  return error;
}

QString falseFigure(const Character& character, const Atlas& atlas, const BakeError& stated,
                    std::uint32_t seed) {
  constexpr double kLeast = 0.97;
  constexpr double kRoundingMm = 2e-4;  // of poses and vertices in float
  const AtlasClip& clip = atlas.clips.front();
  const std::vector<double> units = randomUnits(1000, seed);
  const auto unitOf = [&](const ErrorFigure& figure) {
    const double played = (figure.worstTimeSeconds - clip.startSeconds) / clip.edit.rate;
    return clip.durationSeconds > 0.0 ? std::clamp(played / clip.durationSeconds, 0.0, 1.0) : 0.0;
  };
  for (const Reading reading : {Reading::Palette, Reading::Direct}) {
    const ErrorFigures& figures = reading == Reading::Palette ? stated.palette : stated.direct;
    const SampledError sampled = sampledError(character, atlas, 0, reading, units);
    const double shellUnit = unitOf(figures.shell);
    const double vertexUnit = unitOf(figures.vertices);
    const double shell =
        sampledError(character, atlas, 0, reading, std::span(&shellUnit, 1)).shellMm;
    const double vertex =
        sampledError(character, atlas, 0, reading, std::span(&vertexUnit, 1)).vertexMm;
    const auto differs = [](double a, double b) {
      return !(std::abs(a - b) <= 1e-3 * b + kRoundingMm);
    };
    if (figures.shell.max + kRoundingMm >= kLeast * sampled.shellMm &&
        figures.vertices.max + kRoundingMm >= kLeast * sampled.vertexMm &&
        !differs(shell, figures.shell.max) && !differs(vertex, figures.vertices.max)) {
      continue;
    }
    return QString::fromStdString(fmt::format(
        "{} reading: shell {:.5f} mm stated at {:.6f}, {:.5f} there, {:.5f} sampled at {:.6f}; "
        "vertices {:.5f} mm stated at {:.6f}, {:.5f} there, {:.5f} sampled at {:.6f}",
        reading == Reading::Palette ? "relative" : "direct", figures.shell.max, shellUnit, shell,
        sampled.shellMm, sampled.shellUnit, figures.vertices.max, vertexUnit, vertex,
        sampled.vertexMm, sampled.vertexUnit));
  }
  return {};
}

QString falseFigureOfMade(std::uint32_t seed) {
  MadeClip made = madeClip(seed);
  if (seed % 2 == 0) addMorphs(made.character, seed);
  const auto title = QString::fromStdString(made.title) + ": ";
  const auto baked = bake(made.character, made.settings);
  if (!baked) return title + QString::fromStdString(baked.error().message);
  const auto stated = measureBakeError(made.character, baked->atlas);
  if (!stated) return title + QString::fromStdString(stated.error().message);
  const QString problem = falseFigure(made.character, baked->atlas, *stated, seed + 1);
  return problem.isEmpty() ? problem : title + problem;
}

}  // namespace ck::test

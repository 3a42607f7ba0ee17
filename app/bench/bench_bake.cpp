#include "app/bench/bench_bake.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <glm/gtc/quaternion.hpp>
#include <memory>

#include "core/bake/bake.h"
#include "core/bake/pose/lane_box.h"
#include "core/bake/pose/lane_poser.h"
#include "core/bake/pose/window_sampler.h"
#include "core/bake/step_frames.h"
#include "core/base/assert.h"
#include "core/base/transform.h"
#include "core/error/bake_error.h"

namespace ck::cli {
namespace {

// The book's formulation ("Hands-On C++ Game Animation Programming", its crowd texture): every
// frame samples all joints, one track after another, with normalised lerp of rotations, and looks
// for each key from the last one backwards; then every joint combines its transform with those of
// all its parents, and its place, rotation and scale are written as three rows of floats, of which
// a frame is a column.
class BookSampler {
 public:
  explicit BookSampler(const Rig& rig) : rig_(rig) {
    for (const Joint& joint : rig.joints) {
      before_.push_back(narrow(decompose(joint.preTransform).trs));
      plain_.push_back(joint.preTransform == glm::dmat4(1.0));
    }
  }

  // Writes three texels per skin joint, each `apart` behind the one before.
  void sample(const Clip& clip, double seconds, glm::vec4* texels, std::size_t apart) {
    pose_.clear();
    for (const Joint& joint : rig_.joints) pose_.push_back(narrow(joint.rest));
    for (const JointTracks& tracks : clip.jointTracks) {
      Transform& local = pose_[static_cast<std::size_t>(tracks.joint)];
      if (!tracks.translation.empty()) local.translation = at(tracks.translation, seconds);
      if (!tracks.rotation.empty()) local.rotation = at(tracks.rotation, seconds);
      if (!tracks.scale.empty()) local.scale = at(tracks.scale, seconds);
    }
    for (std::size_t j = 0; j < pose_.size(); ++j) {
      if (!plain_[j]) pose_[j] = combined(before_[j], pose_[j]);
    }
    for (const SkinJoint& joint : rig_.skinJoints) {
      const Transform global = globalOf(joint.joint);
      const glm::quat& q = global.rotation;
      texels[0] = glm::vec4(global.translation, 0.0f);
      texels[apart] = glm::vec4(q.x, q.y, q.z, q.w);
      texels[2 * apart] = glm::vec4(global.scale, 0.0f);
      texels += 3 * apart;
    }
  }

 private:
  struct Transform {
    glm::vec3 translation;
    glm::quat rotation;
    glm::vec3 scale;
  };

  static Transform narrow(const Trs& trs) {
    return {glm::vec3(trs.translation), glm::quat(trs.rotation), glm::vec3(trs.scale)};
  }
  static Transform combined(const Transform& a, const Transform& b) {
    return {a.translation + a.rotation * (a.scale * b.translation), a.rotation * b.rotation,
            a.scale * b.scale};
  }
  Transform globalOf(int joint) const {
    Transform global = pose_[static_cast<std::size_t>(joint)];
    for (int p = parentOf(joint); p >= 0; p = parentOf(p)) {
      global = combined(pose_[static_cast<std::size_t>(p)], global);
    }
    return global;
  }
  int parentOf(int joint) const { return rig_.joints[static_cast<std::size_t>(joint)].parent; }

  static glm::vec3 between(const glm::vec3& a, const glm::vec3& b, float t) {
    return glm::mix(a, b, t);
  }
  static glm::quat between(const glm::quat& a, const glm::quat& b, float t) {
    const float sign = glm::dot(a, b) < 0.0f ? -1.0f : 1.0f;
    return glm::normalize(a * (1.0f - t) + b * (sign * t));
  }

  template <class Value>
  static Value at(const Track<Value>& track, double seconds) {
    const auto value = [&](std::size_t key) {
      return track.values[track.interpolation == Interpolation::Cubic ? 3 * key + 1 : key];
    };
    std::size_t key = track.times.size() - 1;
    const bool isLast = track.times[key] <= seconds;
    while (key > 0 && track.times[key] > seconds) --key;
    const bool isBefore = track.times[key] > seconds;
    if (isLast || isBefore || track.interpolation == Interpolation::Step) return value(key);
    const double step = track.times[key + 1] - track.times[key];
    return between(value(key), value(key + 1),
                   static_cast<float>((seconds - track.times[key]) / step));
  }

  const Rig& rig_;
  std::vector<Transform> pose_;
  std::vector<Transform> before_;
  std::vector<bool> plain_;
};

// The frames of a bake.
struct Frames {
  std::vector<BakeWindow> windows;
  std::vector<std::vector<StoredFrame>> stored;  // per window
  std::size_t count = 0;
};

Result<Frames> framesOf(const BenchRun& run) {
  auto windows = planWindows(*run.character, run.bake, run.job);
  if (!windows) return tl::unexpected(windows.error());
  Frames frames{std::move(*windows), {}, 0};
  for (const BakeWindow& window : frames.windows) {
    frames.stored.push_back(storedFrames(window));
    frames.count += frames.stored.back().size();
  }
  return frames;
}

Result<Runs> timed(const BenchRun& run, const std::function<void()>& work) {
  return measure(run.job, 7, [&work]() -> Result<void> {
    work();
    return {};
  });
}

// How far the book's joints are from the source in the middle of the first clip, in millimetres.
double bookErrorMm(const BenchRun& run, const Frames& frames) {
  const BakeWindow& window = frames.windows.front();
  const std::vector<StoredFrame>& stored = frames.stored.front();
  const double seconds = stored[stored.size() / 2].seconds;
  const Rig& rig = run.character->rig;
  std::vector<glm::vec4> texels(3 * rig.skinJoints.size());
  BookSampler(rig).sample(*window.motion, seconds, texels.data(), 1);
  WindowSampler reference(rig, *window.motion, window.closingSeconds);
  CK_ASSERT(reference.skinMatrices(seconds).size() == rig.skinJoints.size());
  double worst = 0.0;
  for (std::size_t i = 0; i < rig.skinJoints.size(); ++i) {
    const auto joint = static_cast<std::size_t>(rig.skinJoints[i].joint);
    const glm::dvec3 place(reference.globals()[joint][3]);
    worst = std::max(worst, 1000.0 * glm::distance(place, glm::dvec3(texels[3 * i])));
  }
  return worst;
}

// A row of a bake. On one thread speed goes by processor time, so that other load on the machine
// does not count; on more by the clock on the wall.
BenchRow bakeRowOf(const Runs& runs, double samples, int threads, std::size_t bytes) {
  BenchRow row = throughputRow("bake", samples, "joint samples", runs);
  row.threads = threads;
  row.atlasBytes = bytes;
  row.processorMs = 1e3 * median(runs.processor);
  if (threads == 1) row.unitsPerSecond = samples / median(runs.processor);
  return row;
}

Result<BenchRow> bookRow(const BenchRun& run, const Frames& frames) {
  const Rig& rig = run.character->rig;
  BookSampler sampler(rig);
  const std::size_t perFrame = 3 * rig.skinJoints.size();
  std::vector<glm::vec4> rows(frames.count * perFrame);
  const auto runs = timed(run, [&] {
    glm::vec4* to = rows.data();  // the texture of a clip
    for (std::size_t w = 0; w < frames.windows.size(); ++w) {
      const std::vector<StoredFrame>& stored = frames.stored[w];
      for (std::size_t x = 0; x < stored.size(); ++x) {
        sampler.sample(*frames.windows[w].motion, stored[x].seconds, to + x, stored.size());
      }
      to += stored.size() * perFrame;
    }
  });
  if (!runs) return tl::unexpected(runs.error());
  const auto samples = static_cast<double>(frames.count * rig.skinJoints.size());
  BenchRow row = bakeRowOf(*runs, samples, 1, rows.size() * sizeof(glm::vec4));
  row.method = "book";
  row.errorMm = bookErrorMm(run, frames);
  return row;
}

// A copy between buffers that exist already.
Result<BenchRow> copyRow(const BenchRun& run, std::size_t bytes, double samples) {
  const std::vector<std::byte> from(bytes, std::byte{1});
  std::vector<std::byte> to(bytes);
  const auto runs = timed(run, [&] {
    std::memcpy(to.data(), from.data(), bytes);
    CK_ASSERT(to.back() == from.back());
  });
  if (!runs) return tl::unexpected(runs.error());
  BenchRow row = bakeRowOf(*runs, samples, 1, bytes);
  row.method = "copy";
  return row;
}

struct BakeRow {
  BenchRow row;
  std::size_t bytes = 0;
};

Result<BakeRow> bakeRow(const BenchRun& run, const Frames& frames, int threads) {
  JobContext job = run.job;
  job.threadCount = threads;
  BakeRow result;
  const auto runs = measure(job, 7, [&]() -> Result<void> {
    const auto baked = bake(*run.character, run.bake, job);
    if (!baked) return tl::unexpected(baked.error());
    result.bytes = baked->atlas.texels.size();
    return {};
  });
  if (!runs) return tl::unexpected(runs.error());
  const auto samples = static_cast<double>(frames.count * run.character->rig.skinJoints.size());
  result.row = bakeRowOf(*runs, samples, threads, result.bytes);
  result.row.encoding = std::string(encodingName(encodingOf(run.bake)));
  return result;
}

// Poses all frames by lanes, and grows boxes around them if there are `vertices`.
void poseAll(const Character& character, const Frames& frames, const LaneVertices* vertices) {
  std::vector<LanePose> poses(character.rig.skinJoints.size());
  std::vector<LanePivot> pivots(poses.size());
  for (std::size_t w = 0; w < frames.windows.size(); ++w) {
    const BakeWindow& window = frames.windows[w];
    const LanePoser poser(character.rig, *window.motion, window.closingSeconds);
    LanePoser::Run moments;
    poser.prepare(frames.stored[w], moments);
    PosedBox box;
    LaneSkins skins(poser, moments, LanePath::Best);
    for (std::size_t batch = 0; batch < moments.batchCount(); ++batch) {
      if (poser.isNearlyRigid()) {
        poser.pivots(moments, batch, pivots);
        skins.restart();
        if (vertices != nullptr) vertices->grow(skins, box);
      } else {
        poser.pose(moments, batch, poses);
        if (vertices != nullptr) vertices->grow(poses, box);
      }
    }
  }
}

// The cost of the parts of a bake on one thread: each is measured by itself, and encoding is the
// rest.
Result<void> addPhases(BenchRun& run, const Frames& frames, double bakeMs) {
  JobContext job = run.job;
  job.threadCount = 1;
  const Character& character = *run.character;
  const auto plan = timed(run, [&] {
    const auto cost = bakeCost(character, run.bake, job);
    CK_ASSERT(cost.has_value());
  });
  if (!plan) return tl::unexpected(plan.error());
  const auto pose = timed(run, [&] { poseAll(character, frames, nullptr); });
  if (!pose) return tl::unexpected(pose.error());
  const auto boxes = timed(run, [&] {
    const VertexSet set = distinctVertices(character);
    const LimitedVertices limited = overLimit(character, run.bake.influences);
    const LaneVertices vertices(set, limited, character.rig.skinJoints);
    poseAll(character, frames, &vertices);
  });
  if (!boxes) return tl::unexpected(boxes.error());
  const double planMs = 1e3 * median(plan->processor);
  const double poseMs = 1e3 * median(pose->processor);
  const double boxesMs = std::max(1e3 * median(boxes->processor) - poseMs, 0.0);
  const double restMs = std::max(bakeMs - planMs - poseMs - boxesMs, 0.0);
  const auto add = [&](const char* name, double ms, const Runs& runs) {
    BenchRow row = rowOf("phase", runs);
    row.variant = name;
    row.wallMs.reset();
    row.processorMs = ms;
    row.share = ms / bakeMs;
    run.result.rows.push_back(std::move(row));
  };
  add("plan", planMs, *plan);
  add("pose", poseMs, *pose);
  add("bounds", boxesMs, *boxes);
  add("encode", restMs, *boxes);
  return {};
}

// The work beside a bake that is not part of its time: measuring its error, and planning it only,
// as the editor does for its figures. On one thread.
Result<void> addBeside(BenchRun& run, double bakeMs) {
  JobContext job = run.job;
  job.threadCount = 1;
  const auto baked = bake(*run.character, run.bake, job);
  if (!baked) return tl::unexpected(baked.error());
  const auto add = [&](const char* name, const Runs& runs) {
    BenchRow row = rowOf("beside", runs);
    row.variant = name;
    row.processorMs = 1e3 * median(runs.processor);
    row.share = *row.processorMs / bakeMs;
    run.result.rows.push_back(std::move(row));
  };
  const auto error = measure(job, 7, [&]() -> Result<void> {
    return measureBakeError(*run.character, baked->atlas, job).map([](const BakeError&) {});
  });
  if (!error) return tl::unexpected(error.error());
  add("error", *error);
  const auto cost = measure(job, 7, [&]() -> Result<void> {
    return bakeCost(*run.character, run.bake, job).map([](const BakeCost&) {});
  });
  if (!cost) return tl::unexpected(cost.error());
  add("cost", *cost);
  return {};
}

}  // namespace

Result<void> benchBake(BenchRun& run) {
  const auto frames = framesOf(run);
  if (!frames) return tl::unexpected(frames.error());
  auto one = bakeRow(run, *frames, 1);
  if (!one) return tl::unexpected(one.error());
  auto two = bakeRow(run, *frames, 2);
  if (!two) return tl::unexpected(two.error());
  const auto book = bookRow(run, *frames);
  if (!book) return tl::unexpected(book.error());
  const double samples = static_cast<double>(frames->count * run.character->rig.skinJoints.size());
  const auto copy = copyRow(run, one->bytes, samples);
  if (!copy) return tl::unexpected(copy.error());
  for (BenchRow* row : {&one->row, &two->row}) {
    row->ratioToBook = *row->unitsPerSecond / *book->unitsPerSecond;
    row->ratioToLimit = *row->unitsPerSecond / *copy->unitsPerSecond;
    run.result.rows.push_back(*row);
  }
  run.result.rows.push_back(*book);
  run.result.rows.push_back(*copy);
  if (!isLocal(encodingInfo(run.bake))) {
    if (auto ok = addPhases(run, *frames, *one->row.processorMs); !ok) return ok;
  }
  return addBeside(run, *one->row.processorMs);
}

}  // namespace ck::cli

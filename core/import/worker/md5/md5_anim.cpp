#include "core/import/worker/md5/md5_anim.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/import/worker/bvh/stick_figure.h"
#include "core/import/worker/md5/md5_parts.h"

namespace ck::worker {
namespace {

constexpr std::size_t kJointBytes = 8;  // "a -1 0 0"
constexpr double kMostKeys = 20e6;

class AnimReader {
 public:
  explicit AnimReader(std::string_view text) : scan_(text, true) {}

  Result<SourceScene> run() {
    setMd5Space(scene_.source);
    if (auto ok = readMd5Head(scan_); !ok) return tl::unexpected(ok.error());
    if (auto ok = readCounts(); !ok) return tl::unexpected(ok.error());
    if (auto ok = readHierarchy(); !ok) return tl::unexpected(ok.error());
    if (auto ok = skipBounds(); !ok) return tl::unexpected(ok.error());
    if (auto ok = readBaseFrame(); !ok) return tl::unexpected(ok.error());
    if (auto ok = readFrames(); !ok) return tl::unexpected(ok.error());
    if (auto ok = addClip(); !ok) return tl::unexpected(ok.error());
    addStickFigure(scene_, {});
    return std::move(scene_);
  }

 private:
  // Which of Tx Ty Tz Qx Qy Qz of a joint every frame contains, and the index of the first.
  struct Components {
    int flags = 0;
    int first = 0;
  };

  Result<void> readCounts() {
    if (auto ok = scan_.expect("numFrames"); !ok) return ok;
    const auto frames = scan_.count("frames", 8);
    if (!frames) return tl::unexpected(frames.error());
    if (auto ok = scan_.expect("numJoints"); !ok) return ok;
    const auto joints = scan_.count("joints", kJointBytes);
    if (!joints) return tl::unexpected(joints.error());
    if (*joints > kMostMd5Joints) {
      return fail(ErrorCode::LimitExceeded,
                  fmt::format("there are {} joints, more than {}", *joints, kMostMd5Joints));
    }
    if (auto ok = scan_.expect("frameRate"); !ok) return ok;
    const int line = scan_.line();
    const auto rate = scan_.number("the frame rate");
    if (!rate) return tl::unexpected(rate.error());
    if (!(*rate > 0.001 && *rate <= 100'000.0)) {
      return fail(ErrorCode::InvalidInput,
                  fmt::format("line {}: the frame rate is {}, so frames have no time; set the "
                              "frames per second, e.g. 24",
                              line, *rate));
    }
    if (auto ok = scan_.expect("numAnimatedComponents"); !ok) return ok;
    const auto components = scan_.whole("the animated components", 0, *joints * 6);
    if (!components) return tl::unexpected(components.error());
    // Every frame contains all of them, at least "0 " each.
    if (*components > 0 && *frames > 0) {
      const double bytes = 2.0 * *components * *frames;
      if (bytes > static_cast<double>(scan_.bytesLeft()) + 2.0) {
        return scan_.refuse(fmt::format(
            "the file says {} frames of {} numbers, more than what is left of it can hold", *frames,
            *components));
      }
    }
    frameCount_ = *frames;
    jointCount_ = *joints;
    rate_ = *rate;
    componentCount_ = *components;
    return {};
  }

  Result<void> readHierarchy() {
    if (auto ok = scan_.expect("hierarchy"); !ok) return ok;
    if (auto ok = scan_.expect("{"); !ok) return ok;
    for (int j = 0; j < jointCount_; ++j) {
      SourceNode node;
      auto name = scan_.text("the name of a joint");
      if (!name) return tl::unexpected(name.error());
      node.name = std::move(*name);
      const auto parent = scan_.whole("the parent of a joint", -1, jointCount_ - 1);
      if (!parent) return tl::unexpected(parent.error());
      node.parent = *parent;
      const int line = scan_.line();
      const auto flags = scan_.whole("the flags of a joint", 0, 63);
      if (!flags) return tl::unexpected(flags.error());
      const auto first = scan_.whole("the first component of a joint", 0, 2'000'000'000);
      if (!first) return tl::unexpected(first.error());
      int used = 0;
      for (int bit = 0; bit < 6; ++bit) used += *flags >> bit & 1;
      if (used > 0 && *first > componentCount_ - used) {
        return fail(ErrorCode::InvalidInput,
                    fmt::format("line {}: this joint uses components {} to {} of {}", line, *first,
                                *first + used - 1, componentCount_));
      }
      components_.push_back({*flags, *first});
      scene_.nodes.push_back(std::move(node));
    }
    return scan_.expect("}");
  }

  // The frames' bounding boxes are skipped; bounds are measured in the bake.
  Result<void> skipBounds() {
    if (!scan_.accept("bounds")) return {};
    if (auto ok = scan_.expect("{"); !ok) return ok;
    while (!scan_.atEnd() && scan_.peek() != "}") scan_.next();
    return scan_.expect("}");
  }

  Result<void> readBaseFrame() {
    if (auto ok = scan_.expect("baseframe"); !ok) return ok;
    if (auto ok = scan_.expect("{"); !ok) return ok;
    for (int j = 0; j < jointCount_; ++j) {
      const auto place = readMd5Vector(scan_, "the place of a joint");
      if (!place) return tl::unexpected(place.error());
      const auto turn = readMd5Vector(scan_, "the rotation of a joint");
      if (!turn) return tl::unexpected(turn.error());
      base_.push_back({*place, *turn});
      scene_.nodes[static_cast<std::size_t>(j)].rest = {*place, md5Rotation(*turn),
                                                        glm::dvec3(1.0)};
    }
    return scan_.expect("}");
  }

  Result<void> readFrames() {
    const auto total =
        static_cast<std::size_t>(frameCount_) * static_cast<std::size_t>(componentCount_);
    numbers_.assign(total, 0.0);
    std::vector<char> seen(static_cast<std::size_t>(frameCount_), 0);
    for (int i = 0; i < frameCount_; ++i) {
      if (auto ok = scan_.expect("frame"); !ok) return ok;
      const int line = scan_.line();
      const auto index = scan_.whole("the number of a frame", 0, frameCount_ - 1);
      if (!index) return tl::unexpected(index.error());
      const auto frame = static_cast<std::size_t>(*index);
      if (seen[frame] != 0) {
        return fail(ErrorCode::InvalidInput,
                    fmt::format("line {}: frame {} comes a second time", line, *index));
      }
      seen[frame] = 1;
      if (auto ok = scan_.expect("{"); !ok) return ok;
      for (int c = 0; c < componentCount_; ++c) {
        const auto value = scan_.number("a component of a frame");
        if (!value) return tl::unexpected(value.error());
        numbers_[frame * static_cast<std::size_t>(componentCount_) + static_cast<std::size_t>(c)] =
            *value;
      }
      if (auto ok = scan_.expect("}"); !ok) return ok;
    }
    return {};
  }

  // The translation and rotation of a joint in a frame.
  std::pair<glm::dvec3, glm::dvec3> local(std::size_t joint, std::size_t frame) const {
    auto [place, turn] = base_[joint];
    std::size_t next = frame * static_cast<std::size_t>(componentCount_) +
                       static_cast<std::size_t>(components_[joint].first);
    for (int bit = 0; bit < 6; ++bit) {
      if ((components_[joint].flags >> bit & 1) == 0) continue;
      (bit < 3 ? place[bit] : turn[bit - 3]) = numbers_[next++];
    }
    return {place, turn};
  }

  Result<void> addClip() {
    if (frameCount_ == 0) return {};
    const auto moved = std::count_if(components_.begin(), components_.end(),
                                     [](const Components& c) { return c.flags != 0; });
    if (static_cast<double>(moved) * frameCount_ > kMostKeys) {
      return fail(ErrorCode::LimitExceeded,
                  fmt::format("{} joints in {} frames are more than {:.0f} million keys", moved,
                              frameCount_, kMostKeys / 1e6));
    }
    SourceClip clip;
    for (std::size_t j = 0; j < components_.size(); ++j) {
      SourceNodeTracks tracks;
      tracks.node = static_cast<int>(j);
      const int flags = components_[j].flags;
      for (int frame = 0; frame < (flags == 0 ? 1 : frameCount_); ++frame) {
        const double time = frame / rate_;
        const auto [place, turn] = local(j, static_cast<std::size_t>(frame));
        if (frame == 0 || (flags & 7) != 0) {
          tracks.translation.times.push_back(time);
          tracks.translation.values.emplace_back(place);
        }
        if (frame == 0 || (flags & 56) != 0) {
          tracks.rotation.times.push_back(time);
          tracks.rotation.values.emplace_back(md5Rotation(turn));
        }
      }
      clip.nodeTracks.push_back(std::move(tracks));
    }
    scene_.clips.push_back(std::move(clip));
    return {};
  }

  TextScan scan_;
  SourceScene scene_;
  std::vector<Components> components_;
  std::vector<std::pair<glm::dvec3, glm::dvec3>> base_;
  std::vector<double> numbers_;  // frame-major
  int frameCount_ = 0;
  int jointCount_ = 0;
  int componentCount_ = 0;
  double rate_ = 24.0;
};

}  // namespace

bool looksLikeMd5Anim(const RigHead& head) {
  return head.start.starts_with("MD5Version");
}

Result<SourceScene> readMd5Anim(const RigSource& source) {
  return AnimReader(source.text()).run();
}

}  // namespace ck::worker

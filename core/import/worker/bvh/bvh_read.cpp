#include "core/import/worker/bvh/bvh_read.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "core/import/worker/bvh/stick_figure.h"
#include "core/import/worker/text/names.h"
#include "core/import/worker/text/text_scan.h"

namespace ck::worker {
namespace {

constexpr std::size_t kMostJoints = 65'535;
constexpr double kMostKeys = 20e6;
constexpr double kMostNumbers = 5.0 * kMostKeys;
constexpr std::array<std::string_view, 6> kChannels = {"Xposition", "Yposition", "Zposition",
                                                       "Xrotation", "Yrotation", "Zrotation"};

// The channels of one joint, as indices into kChannels, in file order.
struct Channels {
  std::vector<int> kinds;
  std::size_t first = 0;  // index of the joint's first channel in a frame
  bool has(bool rotations) const {
    return std::any_of(kinds.begin(), kinds.end(),
                       [rotations](int kind) { return (kind >= 3) == rotations; });
  }
};

bool isNumber(std::string_view word) {
  return word.find_first_of("0123456789") != std::string_view::npos &&
         word.find_first_not_of("0123456789+-.eE") == std::string_view::npos;
}

class BvhReader {
 public:
  explicit BvhReader(std::string_view text)
      : scan_(text, false), hasHierarchy_(text.find("HIERARCHY") != std::string_view::npos) {}

  Result<SourceScene> run() {
    // Remarks may stand above.
    while (hasHierarchy_ && !scan_.atEnd() && scan_.peek() != "HIERARCHY") scan_.next();
    scan_.expect("HIERARCHY");
    while (scan_.accept("ROOT")) readTree();
    readMotion();
    addClip();
    if (!scan_.good()) return tl::unexpected(*scan_.problem());
    noteRootOffsets();
    addStickFigure(scene_, tips_);
    return std::move(scene_);
  }

 private:
  // Reads from the name of a root to its closing brace.
  void readTree() {
    std::vector<int> open;
    openJoint(open);
    while (!open.empty() && scan_.good()) {
      if (scan_.accept("OFFSET")) {
        scene_.nodes[static_cast<std::size_t>(open.back())].rest.translation = readOffset();
      } else if (scan_.accept("CHANNELS")) {
        readChannels(static_cast<std::size_t>(open.back()));
      } else if (scan_.accept("JOINT")) {
        openJoint(open);
      } else if (scan_.accept("End")) {
        readEndSite(open.back());
      } else {
        scan_.expect("}");
        open.pop_back();
      }
    }
  }

  void openJoint(std::vector<int>& open) {
    SourceNode node;
    // Names may contain spaces. A joint without a name is numbered later.
    if (scan_.peek() != "{") node.name = std::string(scan_.restOfLine());
    node.parent = open.empty() ? -1 : open.back();
    if (scene_.nodes.size() >= kMostJoints) {
      return scan_.fail(ErrorCode::LimitExceeded,
                        fmt::format("there are more than {} joints", kMostJoints));
    }
    open.push_back(static_cast<int>(scene_.nodes.size()));
    scene_.nodes.push_back(std::move(node));
    channels_.emplace_back();
    scan_.expect("{");
  }

  glm::dvec3 readOffset() {
    glm::dvec3 offset(0.0);
    for (int i = 0; i < 3; ++i) offset[i] = scan_.number("an offset");
    return offset;
  }

  void readChannels(std::size_t joint) {
    Channels& channels = channels_[joint];
    if (!channels.kinds.empty()) return scan_.refuse("this joint has CHANNELS already");
    const int count = scan_.whole("the number of channels", 0, 6);
    channels.first = perFrame_;
    for (int c = 0; c < count; ++c) {
      const auto found = std::find_if(kChannels.begin(), kChannels.end(),
                                      [this](std::string_view name) { return scan_.accept(name); });
      if (found == kChannels.end()) {
        return scan_.refuse(fmt::format(
            "a channel is expected (Xposition to Zrotation), {} of {} were read", c, count));
      }
      const int kind = static_cast<int>(found - kChannels.begin());
      if (std::find(channels.kinds.begin(), channels.kinds.end(), kind) != channels.kinds.end()) {
        return scan_.refuse(fmt::format("{} comes a second time for this joint", *found));
      }
      channels.kinds.push_back(kind);
    }
    perFrame_ += channels.kinds.size();
  }

  void readEndSite(int joint) {
    scan_.restOfLine();
    scan_.expect("{");
    scan_.expect("OFFSET");
    tips_.push_back({joint, readOffset()});
    scan_.expect("}");
  }

  void readMotion() {
    scan_.expect("MOTION");
    scan_.expectLabel("Frames:");
    const int countLine = scan_.line();
    frameCount_ = scan_.whole("the number of frames", 0, 2'000'000'000);
    scan_.expect("Frame");
    scan_.expectLabel("Time:");
    const int timeLine = scan_.line();
    stepSeconds_ = scan_.number("the frame time");
    readFrames(countLine);
    if (frameCount_ > 1 && !(stepSeconds_ > 1e-6 && stepSeconds_ < 3600.0)) {
      scan_.refuse(
          timeLine,
          fmt::format("the frame time is {} s; it must be above 0, e.g. 0.033333", stepSeconds_));
    }
  }

  void readFrames(int countLine) {
    // A number takes two bytes of text at least.
    const double total = std::min(static_cast<double>(frameCount_) * static_cast<double>(perFrame_),
                                  0.5 * static_cast<double>(scan_.bytesLeft()) + 2.0);
    if (total > kMostNumbers) {
      scan_.refuse(countLine, fmt::format("the file says {} frames of {} numbers, more than can be "
                                          "read",
                                          frameCount_, perFrame_));
    }
    if (!scan_.good()) return;
    numbers_.reserve(static_cast<std::size_t>(total));
    for (int frame = 0; frame < frameCount_; ++frame) {
      for (std::size_t c = 0; c < perFrame_; ++c) {
        // Recordings that were ended early say more frames than they have.
        if (frame > 0 && scan_.atEnd()) return endAt(frame);
        numbers_.push_back(scan_.number("a channel"));
        if (scan_.good()) continue;
        return scan_.explain(fmt::format("number {} of {} in frame {} of {}", c + 1, perFrame_,
                                         frame + 1, frameCount_));
      }
    }
    readMoreFrames();
  }

  // Recordings that went on say fewer frames than they have.
  void readMoreFrames() {
    const int stated = frameCount_;
    while (perFrame_ > 0 && scan_.good() && isNumber(scan_.peek())) {
      numbers_.push_back(scan_.number("a channel"));
      if (static_cast<double>(numbers_.size()) > kMostNumbers) {
        return scan_.fail(ErrorCode::LimitExceeded,
                          fmt::format("there are more than {:.0f} million numbers in its frames",
                                      kMostNumbers / 1e6));
      }
    }
    const std::size_t read = perFrame_ > 0 ? numbers_.size() / perFrame_ : 0;
    const bool isCut = numbers_.size() > read * perFrame_;
    if (perFrame_ > 0) frameCount_ = static_cast<int>(read);
    numbers_.resize(read * perFrame_);
    if (frameCount_ > stated) {
      warn(scene_.notes, "FramesUnstated",
           fmt::format("the file says {} frames and has {}; all of them were read", stated,
                       frameCount_));
    }
    if (isCut || !scan_.atEnd()) {
      warn(scene_.notes, "KeysDropped",
           fmt::format("line {}: there is more behind the {} frames of the file; it was left out",
                       scan_.line(), frameCount_));
    }
  }

  // Keeps the frames before one that is not complete.
  void endAt(int frame) {
    warn(scene_.notes, "KeysDropped",
         fmt::format("the file says {} frames and has {} of them; it may be cut short", frameCount_,
                     frame));
    numbers_.resize(static_cast<std::size_t>(frame) * perFrame_);
    frameCount_ = frame;
  }

  static glm::dquat turn(int axis, double degrees) {
    glm::dvec3 direction(0.0);
    direction[axis] = 1.0;
    return glm::angleAxis(glm::radians(degrees), direction);
  }

  void addClip() {
    if (frameCount_ == 0 || !scan_.good()) return;
    const auto moved = std::count_if(channels_.begin(), channels_.end(),
                                     [](const Channels& c) { return !c.kinds.empty(); });
    if (static_cast<double>(moved) * frameCount_ > kMostKeys) {
      return scan_.fail(ErrorCode::LimitExceeded,
                        fmt::format("{} joints in {} frames are more than {:.0f} million keys",
                                    moved, frameCount_, kMostKeys / 1e6));
    }
    SourceClip clip;
    for (std::size_t j = 0; j < channels_.size(); ++j) {
      if (channels_[j].kinds.empty()) continue;
      SourceNodeTracks tracks;
      tracks.node = static_cast<int>(j);
      const bool moves = channels_[j].has(false);
      const bool turns = channels_[j].has(true);
      for (int frame = 0; frame < frameCount_; ++frame) {
        const double* values =
            numbers_.data() + static_cast<std::size_t>(frame) * perFrame_ + channels_[j].first;
        glm::dvec3 place = scene_.nodes[j].rest.translation;
        glm::dquat rotation(1.0, 0.0, 0.0, 0.0);
        for (const int kind : channels_[j].kinds) {
          const double value = *values++;
          if (kind < 3) place[kind] = value;
          if (kind >= 3) rotation = rotation * turn(kind - 3, value);
        }
        const double time = frame * stepSeconds_;
        if (moves) {
          tracks.translation.times.push_back(time);
          tracks.translation.values.emplace_back(place);
        }
        if (turns) {
          tracks.rotation.times.push_back(time);
          tracks.rotation.values.emplace_back(rotation);
        }
      }
      clip.nodeTracks.push_back(std::move(tracks));
    }
    scene_.clips.push_back(std::move(clip));
  }

  void noteRootOffsets() {
    for (std::size_t j = 0; j < scene_.nodes.size(); ++j) {
      const glm::dvec3& offset = scene_.nodes[j].rest.translation;
      if (scene_.nodes[j].parent >= 0 || !channels_[j].has(false)) continue;
      if (glm::length(offset) < 1e-9 || frameCount_ == 0) continue;
      inform(scene_.notes, "RootOffset",
             fmt::format("the root has both positions and an OFFSET ({:.4g}, {:.4g}, {:.4g}); the "
                         "positions are taken as they are and the OFFSET is not added to them",
                         offset.x, offset.y, offset.z));
      return;
    }
  }

  TextScan scan_;
  bool hasHierarchy_;
  SourceScene scene_;
  std::vector<Channels> channels_;  // one per node
  std::vector<BoneTip> tips_;
  std::vector<double> numbers_;  // frame-major
  std::size_t perFrame_ = 0;
  int frameCount_ = 0;
  double stepSeconds_ = 0.0;
};

}  // namespace

bool looksLikeBvh(const RigHead& head) {
  return head.start.starts_with("HIERARCHY") || (head.isNamedSo && head.holds("HIERARCHY"));
}

Result<SourceScene> readBvh(const RigSource& source) {
  return BvhReader(source.text()).run();
}

}  // namespace ck::worker

#include "core/export/impostors.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace ck {
namespace {

constexpr int kMostCellSide = 1024;
constexpr int kMostSide = 32768;  // of a layer, pixels

tl::unexpected<Error> damaged(const std::string& what) {
  return fail(ErrorCode::InvalidInput, what);
}

bool isUnit(const glm::vec3& v) {
  return std::abs(glm::length(v) - 1.0f) < 1e-3f;
}

bool isSound(const ImpostorDirection& seen) {
  const bool square = std::abs(glm::dot(seen.right, seen.up)) < 1e-3f;
  return square && isUnit(seen.right) && isUnit(seen.up) && isUnit(seen.towards) &&
         glm::dot(glm::cross(seen.right, seen.up), seen.towards) > 0.99f;
}

bool isSide(int pixels) {
  return pixels >= 4 && pixels <= kMostCellSide &&
         std::has_single_bit(static_cast<unsigned>(pixels));
}

// Rings that follow one another and have all directions.
bool fit(const std::vector<ImpostorRing>& rings, std::size_t directions) {
  int next = 0;
  for (const ImpostorRing& ring : rings) {
    if (ring.first != next || ring.count < 1) return false;
    next += ring.count;
  }
  return !rings.empty() && rings.size() <= kMostImpostorRings &&
         static_cast<std::size_t>(next) == directions;
}

int sideOf(std::size_t cells, int pixels) {
  constexpr std::size_t kTooLarge = std::size_t{1} << 30;
  return static_cast<int>(std::min(cells * static_cast<std::size_t>(pixels), kTooLarge));
}

}  // namespace

float impostorMetersPerPixel(const ImpostorMoment& moment, const ImpostorDirection& direction,
                             int cellWidth, int cellHeight) {
  const float across = glm::dot(glm::abs(direction.right), moment.half);
  const float high = glm::dot(glm::abs(direction.up), moment.half);
  return 2.0f * std::max(across / static_cast<float>(cellWidth - 2),
                         high / static_cast<float>(cellHeight - 2));
}

int impostorWidth(const Impostors& impostors) {
  return sideOf(static_cast<std::size_t>(impostors.columns), impostors.cellWidth);
}

int impostorHeight(const Impostors& impostors) {
  const std::size_t cells = impostors.moments.size() * impostors.directions.size();
  const auto columns = static_cast<std::size_t>(std::max(impostors.columns, 1));
  return sideOf((cells + columns - 1) / columns, impostors.cellHeight);
}

Result<void> checkImpostors(const Impostors& impostors) {
  if (!isSide(impostors.cellWidth) || !isSide(impostors.cellHeight)) {
    return damaged(fmt::format("cells of {} x {} pixels are none of a power of two from 4 to {}",
                               impostors.cellWidth, impostors.cellHeight, kMostCellSide));
  }
  const std::vector<ImpostorDirection>& directions = impostors.directions;
  if (impostors.moments.empty() || directions.empty() || impostors.columns < 1 ||
      impostorWidth(impostors) > kMostSide || impostorHeight(impostors) > kMostSide) {
    return damaged(fmt::format("{} moments from {} directions in {} columns make no picture",
                               impostors.moments.size(), directions.size(), impostors.columns));
  }
  if (!fit(impostors.rings, directions.size())) {
    return damaged(fmt::format("the rings do not divide {} directions", directions.size()));
  }
  if (!std::ranges::all_of(directions, isSound)) {
    return damaged("a direction has axes that are not three unit vectors at right angles");
  }
  if (!(impostors.metersPerPixel > 0.0)) return damaged("its pictures have no scale");
  const auto isDepth = [](float pixels) { return pixels >= 1.0f && std::isfinite(pixels); };
  if (impostors.depthPixels.size() != directions.size() ||
      !std::ranges::all_of(impostors.depthPixels, isDepth)) {
    return damaged("a direction has no depth of at least a pixel");
  }
  const auto clips = static_cast<int>(impostors.clips.size());
  const auto frames = static_cast<int>(impostors.momentOfFrame.size());
  for (const ImpostorMoment& moment : impostors.moments) {
    const float least = std::min({moment.half.x, moment.half.y, moment.half.z});
    const bool isFinite = std::isfinite(glm::dot(moment.half, moment.half)) &&
                          std::isfinite(glm::dot(moment.center, moment.center));
    if (!isFinite || moment.clip < 0 || moment.clip >= clips || moment.frame < 0 ||
        moment.frame >= frames || !(least > 0.0f)) {
      return damaged(
          fmt::format("a moment of frame {} has no clip, no frame or no box", moment.frame));
    }
  }
  const auto isMoment = [&impostors](int moment) {
    return moment >= 0 && static_cast<std::size_t>(moment) < impostors.moments.size();
  };
  if (!std::ranges::all_of(impostors.momentOfFrame, isMoment)) {
    return damaged("a frame has no moment");
  }
  return {};
}

Result<void> checkImpostorsOf(const Impostors& impostors, const Atlas& atlas) {
  const auto differ = [](const std::string& what) {
    return damaged(what + "; these are pictures of another atlas, so export the set again");
  };
  if (impostors.clips.size() != atlas.clips.size()) {
    return differ(fmt::format("there are pictures of {} clips, and the atlas has {}",
                              impostors.clips.size(), atlas.clips.size()));
  }
  std::size_t frames = 0;
  for (std::size_t c = 0; c < atlas.clips.size(); ++c) {
    const AtlasClip& clip = atlas.clips[c];
    if (clip.name != impostors.clips[c]) {
      return differ(fmt::format("clip {} is called '{}', and that of the atlas '{}'", c,
                                impostors.clips[c], clip.name));
    }
    frames = std::max(frames, static_cast<std::size_t>(clip.firstFrame + clip.frameCount));
  }
  if (frames != impostors.momentOfFrame.size()) {
    return differ(fmt::format("{} frames have pictures, and the atlas has {}",
                              impostors.momentOfFrame.size(), frames));
  }
  for (const AtlasClip& clip : atlas.clips) {
    for (int frame = clip.firstFrame; frame < clip.firstFrame + clip.frameCount; ++frame) {
      const int moment = impostors.momentOfFrame[static_cast<std::size_t>(frame)];
      const int shown = impostors.moments[static_cast<std::size_t>(moment)].clip;
      if (&atlas.clips[static_cast<std::size_t>(shown)] == &clip) continue;
      return differ(
          fmt::format("frame {} of clip '{}' has a picture of another clip", frame, clip.name));
    }
  }
  for (const ImpostorMoment& moment : impostors.moments) {
    const AtlasClip& clip = atlas.clips[static_cast<std::size_t>(moment.clip)];
    if (moment.frame < clip.firstFrame || moment.frame >= clip.firstFrame + clip.frameCount) {
      return differ(fmt::format("frame {} is not of clip '{}'", moment.frame, clip.name));
    }
  }
  return {};
}

}  // namespace ck

#include "tests/support/shown_actors.h"

#include <algorithm>
#include <cmath>

#include "core/atlas/pose_reading.h"

namespace ck::test {

std::vector<Shown> shownMoments(const Atlas& atlas) {
  std::vector<Shown> list;
  const int clips = static_cast<int>(atlas.clips.size());
  for (int clip = 0; clip < clips; ++clip) {
    for (int i = 0; i < 10; ++i) list.push_back({.clip = clip, .unit = 0.0137 + i * 0.0991});
    list.push_back({.clip = clip});  // a stored frame
    for (int i = 0; i < 4; ++i) {
      list.push_back({.clip = clip,
                      .unit = 0.21 * i,
                      .other = (clip + 1) % clips,
                      .otherUnit = 0.93 - 0.17 * i,
                      .blend = 0.25 + 0.25 * i});
    }
  }
  return list;
}

std::vector<glm::vec4> actorTexels(const Atlas& atlas, std::span<const Shown> list) {
  std::vector<glm::vec4> texels;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Shown& shown = list[i];
    const float rate = i % 2 == 0 ? 0.0f : 0.5f;
    const bool pingPong = i % 3 == 1;
    const auto number = [&](int clip) {
      return static_cast<float>(clip + (pingPong ? 3 : 0) * 65536);
    };
    const auto phase = [&](int clip, double unit) {
      const double length = atlas.clips[static_cast<std::size_t>(clip)].durationSeconds;
      return static_cast<float>((pingPong ? 2.0 - unit : unit) - kShownSeconds * rate / length);
    };
    constexpr float kBlendPerSecond = 0.4f;
    texels.emplace_back(number(shown.clip), phase(shown.clip, shown.unit), rate,
                        static_cast<float>(shown.blend) - kBlendPerSecond * kShownSeconds);
    if (shown.other < 0) {
      texels.emplace_back(-1.0f, 0.0f, 0.0f, 0.0f);
    } else {
      texels.emplace_back(number(shown.other), phase(shown.other, shown.otherUnit), rate,
                          kBlendPerSecond);
    }
  }
  return texels;
}

std::vector<glm::dmat4> relativeMatrices(const Atlas& atlas, const Shown& shown) {
  const auto shownAt = [&](int clip, double unit) {
    return posesAt(atlas, clip, unit, Reading::Palette, atlas.recipe.interpolate);
  };
  auto poses = shownAt(shown.clip, shown.unit);
  if (shown.other >= 0) {
    poses = posesBlended(atlas.joints, poses, shownAt(shown.other, shown.otherUnit),
                         static_cast<float>(shown.blend));
  }
  return skinMatricesOf(atlas, poses);
}

std::vector<glm::dmat4> directMatrices(const Atlas& atlas, const Shown& shown) {
  auto matrices =
      atlasSkinMatrices(atlas, shown.clip, shown.unit, Reading::Direct, atlas.recipe.interpolate);
  if (shown.other < 0) return matrices;
  const auto others = atlasSkinMatrices(atlas, shown.other, shown.otherUnit, Reading::Direct,
                                        atlas.recipe.interpolate);
  for (std::size_t j = 0; j < matrices.size(); ++j) {
    matrices[j] = matrices[j] * (1.0 - shown.blend) + others[j] * shown.blend;
  }
  return matrices;
}

double largestDifference(const glm::dmat4& wanted, const glm::vec4& x, const glm::vec4& y,
                         const glm::vec4& z) {
  double largest = 0.0;
  for (int column = 0; column < 4; ++column) {
    largest =
        std::max({largest, std::abs(wanted[column].x - x[column]),
                  std::abs(wanted[column].y - y[column]), std::abs(wanted[column].z - z[column])});
  }
  return std::isfinite(largest) ? largest : 1e9;
}

}  // namespace ck::test

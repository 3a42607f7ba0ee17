#include "core/export/targets/babylon.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <glm/gtc/type_ptr.hpp>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/atlas/pose_reading.h"
#include "core/base/base64.h"
#include "core/base/parallel_for.h"
#include "core/base/version.h"
#include "core/export/targets/folder_texts.h"
#include "core/export/targets/glb.h"
#include "core/export/targets/player_document.h"
#include "core/export/targets/shown_error.h"

namespace ck {
namespace {

using Json = nlohmann::ordered_json;

// The size that every device with WebGL 2 in use has.
constexpr int kMostTexels = 4096;
// Rows are shown as they are, so more of them are more exact. A screen of 60 Hz shows no more than
// 60, and what is beyond has to be small.
constexpr double kMostRowsPerSecond = 120.0;
constexpr double kUsualRowsPerSecond = 60.0;
constexpr double kFewestRowsPerSecond = 10.0;
constexpr double kMostExtraBytes = 16.0 * 1024 * 1024;
constexpr int kMatrixTexels = 4;
constexpr std::size_t kMatrixFloats = 16;

// As glbBytes() writes them: the joints, and one more above several roots.
int bonesOf(const Atlas& atlas) {
  const auto roots = std::ranges::count(atlas.joints, -1, &AtlasJoint::parent);
  return static_cast<int>(atlas.joints.size()) + (roots > 1 ? 1 : 0);
}

int partsOf(const AtlasClip& clip, double rowsPerSecond) {
  return std::max(1, static_cast<int>(std::lround(cycleSeconds(clip) * rowsPerSecond)));
}

double rowsAt(const Atlas& atlas, double rowsPerSecond) {
  double rows = 0.0;
  for (const AtlasClip& clip : atlas.clips) {
    rows += std::max(1.0, std::round(cycleSeconds(clip) * rowsPerSecond)) + 1.0;
  }
  return rows;
}

// The rows a second with which the clips fit into a texture of that width.
std::optional<double> fittingRate(const Atlas& atlas, int width) {
  constexpr double kTexelBytes = 16.0;
  for (double rate = kMostRowsPerSecond; rate >= kFewestRowsPerSecond; rate -= 1.0) {
    const double rows = rowsAt(atlas, rate);
    if (rate > kUsualRowsPerSecond && rows * width * kTexelBytes > kMostExtraBytes) continue;
    if (rows <= kMostTexels) return rate;
  }
  return std::nullopt;
}

double totalSeconds(const Atlas& atlas) {
  double seconds = 0.0;
  for (const AtlasClip& clip : atlas.clips) seconds += cycleSeconds(clip);
  return seconds;
}

// The share of the cycle whose pose a row has.
double shareOf(const BabylonClip& clip, int row) {
  if (row == clip.from) return 0.0;
  return (row - clip.from - 0.5) / (clip.to - clip.from);
}

// The row that the manager shows in a pass after the first one.
int rowAtShare(const BabylonClip& clip, double share) {
  const int parts = clip.to - clip.from;
  const int part = static_cast<int>(std::floor(share * parts));
  return clip.from + 1 + std::clamp(part, 0, parts - 1);
}

std::vector<glm::dmat4> matricesOf(const BabylonTexture& texture, int row, std::size_t joints) {
  const auto width = static_cast<std::size_t>(texture.width) * 4;
  const float* first = texture.texels.data() + static_cast<std::size_t>(row) * width;
  std::vector<glm::dmat4> matrices;
  matrices.reserve(joints);
  for (std::size_t j = 0; j < joints; ++j) {
    matrices.emplace_back(glm::make_mat4(first + j * kMatrixFloats));
  }
  return matrices;
}

Json vectorOf(const glm::dvec3& v) {
  return Json::array({v.x, v.y, v.z});
}

// The document that crowd.js reads.
std::string crowdJson(const TargetInput& input, const BabylonTexture& texture) {
  const Atlas& atlas = input.atlas;
  Json clips = Json::array();
  for (std::size_t i = 0; i < atlas.clips.size(); ++i) {
    const AtlasClip& clip = atlas.clips[i];
    clips.push_back({{"name", clip.name},
                     {"from", texture.clips[i].from},
                     {"to", texture.clips[i].to},
                     {"framesPerSecond", texture.clips[i].framesPerSecond},
                     {"seconds", cycleSeconds(clip)},
                     {"loop", loopModeName(clip.loop)},
                     {"groundSpeed", clip.groundSpeedMetersPerSecond},
                     {"min", vectorOf(clip.bounds.low)},
                     {"max", vectorOf(clip.bounds.high)}});
  }
  const Json json = {{"kind", "crowdkiln-babylon"},
                     {"version", 1},
                     {"generator", fmt::format("Crowdkiln {}", version())},
                     {"setId", input.setId},
                     {"mesh", input.name + ".glb"},
                     {"texture", input.name + ".vat.json"},
                     {"bones", texture.bones},
                     {"width", texture.width},
                     {"height", texture.height},
                     {"clips", std::move(clips)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// The largest distance that a vertex moves from one row to the next, in millimetres.
double largestStepMm(const TargetInput& input, const BabylonTexture& texture) {
  PoseDistance distance(input.character, input.atlas.recipe.influences, {});
  const std::size_t joints = input.atlas.joints.size();
  double largest = 0.0;
  for (const BabylonClip& clip : texture.clips) {
    std::vector<glm::dmat4> before = matricesOf(texture, clip.from + 1, joints);
    for (int row = clip.from + 2; row <= clip.to; ++row) {
      std::vector<glm::dmat4> now = matricesOf(texture, row, joints);
      largest = std::max(largest, distance.mm(before, now));
      before = std::move(now);
    }
  }
  return largest;
}

}  // namespace

Result<BabylonTexture> babylonTexture(const Atlas& atlas, const JobContext& job) {
  BabylonTexture texture;
  texture.bones = bonesOf(atlas);
  texture.width = (texture.bones + 1) * kMatrixTexels;
  if (texture.width > kMostTexels) {
    return fail(ErrorCode::LimitExceeded,
                fmt::format("Babylon.js reads one row of at most {} texels a pose, which is {} "
                            "joints, and the atlas has {}; leave out joints that carry little",
                            kMostTexels, kMostTexels / kMatrixTexels - 1, atlas.joints.size()));
  }
  const std::optional<double> rate = fittingRate(atlas, texture.width);
  if (!rate) {
    return fail(ErrorCode::LimitExceeded,
                fmt::format("Babylon.js reads a texture of at most {} rows, and the {} clips need "
                            "{:.0f} even at {:.0f} poses a second, because they last {:.0f} s; "
                            "export fewer or shorter clips",
                            kMostTexels, atlas.clips.size(), rowsAt(atlas, kFewestRowsPerSecond),
                            kFewestRowsPerSecond, totalSeconds(atlas)));
  }
  texture.rowsPerSecond = *rate;
  for (const AtlasClip& clip : atlas.clips) {
    const int parts = partsOf(clip, *rate);
    const double cycle = cycleSeconds(clip);
    texture.clips.push_back(
        {texture.height, texture.height + parts, cycle > 0.0 ? (parts + 1) / cycle : *rate});
    texture.height += parts + 1;
  }
  const auto width = static_cast<std::size_t>(texture.width) * 4;
  texture.texels.assign(static_cast<std::size_t>(texture.height) * width, 0.0f);
  const bool done = parallelFor(texture.clips.size(), job, [&](std::size_t c) {
    const BabylonClip& rows = texture.clips[c];
    const AtlasClip& clip = atlas.clips[c];
    for (int row = rows.from; row <= rows.to && !job.stopRequested(); ++row) {
      const double unit = unitAt(clip, shareOf(rows, row) * cycleSeconds(clip));
      std::vector<glm::dmat4> matrices = atlasSkinMatrices(
          atlas, static_cast<int>(c), unit, Reading::Palette, atlas.recipe.interpolate);
      // The joint above several roots, if there is one, and the slot of vertices without a joint.
      matrices.resize(static_cast<std::size_t>(texture.bones) + 1, glm::dmat4(1.0));
      float* out = texture.texels.data() + static_cast<std::size_t>(row) * width;
      for (const glm::dmat4& matrix : matrices) {
        const glm::mat4 stored(matrix);
        out = std::copy_n(glm::value_ptr(stored), kMatrixFloats, out);
      }
    }
  });
  if (!done || job.stopRequested()) {
    return fail(ErrorCode::Cancelled, "the export was stopped");
  }
  return texture;
}

Result<std::vector<TargetFile>> babylonFiles(const TargetInput& input, const JobContext& job) {
  const auto texture = babylonTexture(input.atlas, job);
  if (!texture) return tl::unexpected(texture.error());
  auto mesh = glbBytes(input, job);
  if (!mesh) return tl::unexpected(mesh.error());
  // The keys that VertexAnimationBaker of Babylon.js writes and reads.
  const Json vat = {{"vertexData", base64(std::as_bytes(std::span(texture->texels)))},
                    {"width", texture->width},
                    {"height", texture->height}};
  const FolderTexts texts = folderTexts("babylon", input,
                                        {{"bones", std::to_string(texture->bones)},
                                         {"width", std::to_string(texture->width)},
                                         {"rows", fmt::format("{:.0f}", texture->rowsPerSecond)}});
  std::vector<TargetFile> files = copiedTexts(texts, {"README.md", "index.html", "crowd.js"});
  files.push_back({texts.folder + input.name + ".glb", std::move(*mesh)});
  files.push_back({texts.folder + input.name + ".vat.json", bytesOf(vat.dump())});
  files.push_back({texts.folder + input.name + ".crowd.json", bytesOf(crowdJson(input, *texture))});
  return files;
}

std::vector<std::string> babylonLosses(const TargetInput& input) {
  const Atlas& atlas = input.atlas;
  const auto texture = babylonTexture(atlas, {});
  if (!texture) return {texture.error().message};
  const double stepMm = largestStepMm(input, *texture);
  std::vector<std::string> losses;
  if (texture->rowsPerSecond < kUsualRowsPerSecond) {
    losses.push_back(fmt::format(
        "The clips last {:.0f} s, so that only {:.0f} instead of {:.0f} poses a second fit into "
        "{} rows.",
        totalSeconds(atlas), texture->rowsPerSecond, kUsualRowsPerSecond, kMostTexels));
  }
  losses.push_back(fmt::format(
      "Poses are not blended: each stays for 1/{:.0f} s and comes up to {:.1f} ms early or late, "
      "which is up to {:.1f} mm.",
      texture->rowsPerSecond, 500.0 / texture->rowsPerSecond, 0.5 * stepMm));
  losses.push_back(fmt::format(
      "The first pass over a clip after time 0 is up to 1.5 poses late ({:.1f} mm); crowd.js "
      "starts after it.",
      1.5 * stepMm));
  losses.emplace_back(kActorLoss);
  if (std::ranges::any_of(atlas.clips,
                          [](const AtlasClip& clip) { return clip.loop == LoopMode::Once; })) {
    losses.emplace_back("Every clip repeats; crowd.js holds the end of those that play once.");
  }
  addWayLoss(atlas, losses);
  const double morphMm = morphLossMm(input.character, input.atlas);
  if (morphMm > 0.0) {
    losses.push_back(fmt::format(
        "Morph targets keep their default weights, which is up to {:.1f} mm.", morphMm));
  }
  return losses;
}

Result<ErrorFigure> babylonShown(const TargetInput& input, const JobContext& job) {
  const Atlas& atlas = input.atlas;
  const auto texture = babylonTexture(atlas, job.part(0.0f, 0.2f));
  if (!texture) return tl::unexpected(texture.error());
  ShownBy player;
  player.influences = atlas.recipe.influences;
  player.corners = [&](int clip) {
    const BabylonClip& rows = texture->clips[static_cast<std::size_t>(clip)];
    const double cycle = cycleSeconds(atlas.clips[static_cast<std::size_t>(clip)]);
    std::vector<double> corners;
    const int parts = rows.to - rows.from;
    for (int part = 1; part < parts; ++part) corners.push_back(cycle * part / parts);
    return corners;
  };
  player.poseAt = [&](int clip, double seconds, ShownPose& pose) {
    const double cycle = cycleSeconds(atlas.clips[static_cast<std::size_t>(clip)]);
    const double share = cycle > 0.0 ? seconds / cycle : 0.0;
    const int row = rowAtShare(texture->clips[static_cast<std::size_t>(clip)], share);
    pose.skinMatrices = matricesOf(*texture, row, atlas.joints.size());
  };
  return shownError(input.character, atlas, player, job.part(0.2f, 1.0f));
}

}  // namespace ck

#include "app/commands/contact_sheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ck::cli {
namespace {

constexpr int kLargest = 16384;

Bounds allClips(const Atlas& atlas) {
  Bounds bounds = atlas.clips.front().bounds;
  for (const AtlasClip& clip : atlas.clips) {
    bounds.low = glm::min(bounds.low, clip.bounds.low);
    bounds.high = glm::max(bounds.high, clip.bounds.high);
  }
  return bounds;
}

void copyInto(render::Frame& sheet, const render::Frame& cell, int column, int row) {
  const auto rowBytes = static_cast<std::ptrdiff_t>(cell.width) * 4;
  for (int y = 0; y < cell.height; ++y) {
    const auto* from = cell.rgba.data() + y * rowBytes;
    auto* to =
        sheet.rgba.data() + (static_cast<std::ptrdiff_t>(row * cell.height + y) * sheet.width +
                             static_cast<std::ptrdiff_t>(column) * cell.width) *
                                4;
    std::copy(from, from + rowBytes, to);
  }
}

}  // namespace

Result<render::Frame> drawContactSheet(render::CrowdRenderer& renderer, const Atlas& atlas,
                                       const render::RenderSettings& settings, int columns,
                                       int cellWidth, int cellHeight, const JobContext& job) {
  const int rows = static_cast<int>(atlas.clips.size());
  const std::int64_t width = std::int64_t{columns} * cellWidth;
  const std::int64_t height = std::int64_t{rows} * cellHeight;
  if (rows == 0) return fail(ErrorCode::InvalidInput, "the atlas has no clips to show");
  if (width > kLargest || height > kLargest) {
    return fail(ErrorCode::LimitExceeded,
                fmt::format("a sheet of {} clips would have {} x {} pixels, more than {} a side; "
                            "choose fewer --clips or a smaller --size",
                            rows, width, height, kLargest));
  }
  render::Frame sheet;
  sheet.width = static_cast<int>(width);
  sheet.height = static_cast<int>(height);
  sheet.rgba.resize(static_cast<std::size_t>(width * height) * 4);

  render::Camera camera;
  render::frameBox(camera, allClips(atlas), static_cast<double>(cellWidth) / cellHeight);
  std::vector<std::string> names;
  for (const AtlasClip& clip : atlas.clips) names.push_back(sourceNameOf(clip));
  std::vector<CrowdClip> clips = crowdClips(atlas, names);
  // The last image of a loop shows its end, not its start again.
  for (CrowdClip& clip : clips) clip.loop = LoopMode::Once;

  for (int cell = 0; cell < rows * columns; ++cell) {
    if (job.stopRequested()) return fail(ErrorCode::Cancelled, "interrupted");
    job.report(static_cast<float>(cell) / static_cast<float>(rows * columns), "drawing");
    Actor actor;
    actor.clip = cell / columns;
    const CrowdClip& clip = clips[static_cast<std::size_t>(actor.clip)];
    const double unit = columns > 1 ? static_cast<double>(cell % columns) / (columns - 1) : 0.0;
    Crowd crowd(std::array{actor}, clips);
    crowd.seek(unit * clip.durationSeconds);
    const auto drawn = renderer.drawToFrame(crowd, camera, settings, cellWidth, cellHeight);
    if (!drawn) return drawn;
    copyInto(sheet, *drawn, cell % columns, cell / columns);
  }
  return sheet;
}

}  // namespace ck::cli

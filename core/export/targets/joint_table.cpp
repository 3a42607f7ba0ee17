#include "core/export/targets/joint_table.h"

#include <glm/glm.hpp>

#include "core/atlas/local_poses.h"
#include "core/base/byte_stream.h"

namespace ck {
namespace {

constexpr int kLeastWidth = 256;
constexpr int kMostHeight = 2048;

void addJoint(const AtlasJoint& joint, std::vector<glm::vec4>& texels) {
  texels.emplace_back(joint.pivot, static_cast<float>(joint.parent));
  const glm::mat4 rows = glm::transpose(joint.inverseBind);
  texels.insert(texels.end(), {rows[0], rows[1], rows[2]});
}

// `first` and `count`: of the texels of the clip's intervals.
void addClip(const AtlasClip& clip, std::size_t first, std::size_t count,
             std::vector<glm::vec4>& texels) {
  texels.emplace_back(static_cast<float>(clip.firstFrame), static_cast<float>(momentCount(clip)),
                      static_cast<float>(clip.loop), static_cast<float>(clip.durationSeconds));
  texels.emplace_back(static_cast<float>(clip.frameCount), static_cast<float>(first),
                      static_cast<float>(count),
                      static_cast<float>(clip.groundSpeedMetersPerSecond));
}

}  // namespace

JointTable jointTable(const Atlas& atlas) {
  JointTable table;
  std::vector<glm::vec4> texels;
  for (const AtlasJoint& joint : atlas.joints) addJoint(joint, texels);
  table.ranges = static_cast<int>(texels.size());
  for (const TexelRange& range : atlas.ranges) {
    texels.push_back(range.low);
    texels.push_back(range.size);
  }
  table.clips = static_cast<int>(texels.size());
  std::vector<glm::vec4> intervals;
  const std::size_t first = texels.size() + 2 * atlas.clips.size();
  for (const AtlasClip& clip : atlas.clips) {
    const std::vector<IntervalFrames> own = intervalFrames(frameGridOf(clip));
    addClip(clip, first + intervals.size(), own.size(), texels);
    for (const IntervalFrames& one : own) {
      intervals.emplace_back(static_cast<float>(one.frame), one.offset, one.share, 0.0f);
    }
  }
  texels.insert(texels.end(), intervals.begin(), intervals.end());
  table.tracks = static_cast<int>(texels.size());
  if (isLocal(encodingInfo(atlas.recipe))) {
    for (const int track : tracksOf(atlas)) {
      const int column = track < 0 ? -1 : trackColumn(atlas, track);
      texels.emplace_back(static_cast<float>(column), 0.0f, 0.0f, 0.0f);
    }
  }

  const int count = static_cast<int>(texels.size());
  table.width = kLeastWidth;
  while (count > table.width * kMostHeight) table.width *= 2;
  table.height = (count + table.width - 1) / table.width;
  texels.resize(static_cast<std::size_t>(table.width) * static_cast<std::size_t>(table.height),
                glm::vec4(0.0f));
  table.values.reserve(4 * texels.size());
  for (const glm::vec4& texel : texels) {
    table.values.insert(table.values.end(), {texel.x, texel.y, texel.z, texel.w});
  }
  return table;
}

std::vector<std::byte> jointTableBytes(const JointTable& table) {
  ByteWriter writer;
  writer.reserve(sizeof(float) * table.values.size());
  for (const float value : table.values) writer.number(value);
  return writer.take();
}

}  // namespace ck

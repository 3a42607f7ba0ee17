#include "core/atlas/atlas.h"

#include <algorithm>

#include "core/atlas/atlas_layout.h"
#include "core/atlas/pose_reading.h"
#include "core/base/assert.h"

namespace ck {
namespace {

constexpr std::string_view kSeams[] = {"none", "inclusive", "exclusive"};

bool sameShape(const gpu::CkAtlasShape& a, const gpu::CkAtlasShape& b) {
  return a.block == b.block && a.extent == b.extent;
}

}  // namespace

std::string_view seamName(Seam seam) {
  return kSeams[static_cast<std::size_t>(seam)];
}

const std::string& sourceNameOf(const AtlasClip& clip) {
  return clip.sourceName.empty() ? clip.name : clip.sourceName;
}

int momentCount(const AtlasClip& clip) {
  return momentCount(frameGridOf(clip));
}
FramePair framesAt(const AtlasClip& clip, double unit) {
  return framesAt(unit, frameGridOf(clip));
}
int nearestFrame(const AtlasClip& clip, double unit) {
  return nearestFrame(unit, frameGridOf(clip));
}

bool AtlasClip::operator==(const AtlasClip& other) const {
  return name == other.name && sourceNameOf(*this) == sourceNameOf(other) && edit == other.edit &&
         firstFrame == other.firstFrame && frameCount == other.frameCount &&
         stepFrames == other.stepFrames && keptMoments == other.keptMoments &&
         startSeconds == other.startSeconds && durationSeconds == other.durationSeconds &&
         loop == other.loop && seam == other.seam &&
         groundSpeedMetersPerSecond == other.groundSpeedMetersPerSecond &&
         rootMotion == other.rootMotion && bounds.low == other.bounds.low &&
         bounds.high == other.bounds.high;
}

bool operator==(const Atlas& a, const Atlas& b) {
  return a.recipe == b.recipe && sameShape(a.shape, b.shape) && a.joints == b.joints &&
         a.clips == b.clips && a.ranges == b.ranges && a.texels == b.texels &&
         a.sourcePath == b.sourcePath && a.sourceHash == b.sourceHash &&
         a.unitScale == b.unitScale && a.morphs == b.morphs;
}

int atlasWidth(const Atlas& atlas) {
  return atlas.shape.extent.x;
}
int atlasHeight(const Atlas& atlas) {
  return atlas.shape.extent.y;
}

TexelFormat texelFormatOf(const Atlas& atlas) {
  return encodingInfo(atlas.recipe).format;
}
std::vector<int> clipOfFrames(const Atlas& atlas) {
  std::vector<int> clipOf;
  for (std::size_t c = 0; c < atlas.clips.size(); ++c) {
    const AtlasClip& clip = atlas.clips[c];
    const auto end =
        static_cast<std::size_t>(clip.firstFrame) + static_cast<std::size_t>(clip.frameCount);
    clipOf.resize(std::max(clipOf.size(), end), 0);
    std::fill_n(clipOf.begin() + clip.firstFrame, clip.frameCount, static_cast<int>(c));
  }
  return clipOf;
}

std::size_t texelBytesOf(const Atlas& atlas) {
  return static_cast<std::size_t>(atlasWidth(atlas)) *
         static_cast<std::size_t>(atlasHeight(atlas)) *
         static_cast<std::size_t>(bytesPerTexel(texelFormatOf(atlas)));
}

TexelCode codeOf(const Atlas& atlas) {
  return codeOf(atlas.recipe);
}
PoseForm formOf(const Atlas& atlas) {
  return encodingInfo(atlas.recipe).form;
}

std::span<const TexelRange> rangesFor(const Atlas& atlas, int clip, int joint) {
  const auto count = static_cast<std::size_t>(rangesPerJoint(codeOf(atlas)));
  std::size_t set = 0;
  if (atlas.recipe.rangeMode != RangeMode::Atlas) set = static_cast<std::size_t>(joint);
  if (atlas.recipe.rangeMode == RangeMode::JointClip) {
    set += static_cast<std::size_t>(clip) * atlas.joints.size();
  }
  return std::span(atlas.ranges).subspan(set * count, count);
}

JointPose storedPose(const Atlas& atlas, int clip, int frame, int joint) {
  if (isLocal(encodingInfo(atlas.recipe))) {
    const int first = atlas.clips[static_cast<std::size_t>(clip)].firstFrame;
    return storedFrame(atlas, clip, frame - first)[static_cast<std::size_t>(joint)];
  }
  const TexelCode code = codeOf(atlas);
  const std::size_t size = bytesPerJoint(code);
  const std::size_t offset = texelOffset(atlas, frame, joint);
  CK_ASSERT(offset + size <= atlas.texels.size());
  const JointPose rest{.position = atlas.joints[static_cast<std::size_t>(joint)].pivot};
  return decodePose(code, std::span(atlas.texels).subspan(offset, size),
                    rangesFor(atlas, clip, joint), rest);
}

std::vector<glm::dmat4> atlasSkinMatrices(const Atlas& atlas, int clip, double unit,
                                          Reading reading, bool interpolate) {
  return skinMatricesOf(atlas, posesAt(atlas, clip, unit, reading, interpolate));
}

}  // namespace ck

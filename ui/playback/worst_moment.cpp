#include "ui/playback/worst_moment.h"

#include <algorithm>

namespace ck::ui {
namespace {

// The position in a baked clip, in [0, 1], of a time on the file's timeline.
double unitAt(const AtlasClip& clip, double seconds) {
  if (clip.durationSeconds <= 0.0 || clip.edit.rate == 0.0) return 0.0;
  double unit = (seconds - clip.startSeconds) / clip.edit.rate / clip.durationSeconds;
  unit -= clip.edit.loopOffset;
  if (unit < 0.0 && clip.edit.loopOffset > 0.0) unit += 1.0;
  return std::clamp(unit, 0.0, 1.0);
}

}  // namespace

std::optional<WorstMoment> worstMomentOf(const ErrorFigure& figure, const Atlas& atlas,
                                         const Character& character) {
  const auto clip = std::ranges::find(atlas.clips, figure.worstClip, &AtlasClip::name);
  if (clip == atlas.clips.end()) return std::nullopt;
  WorstMoment worst{int(clip - atlas.clips.begin()),
                    {.unit = unitAt(*clip, figure.worstTimeSeconds),
                     .seconds = figure.worstTimeSeconds,
                     .mm = figure.max}};
  const auto joint = std::ranges::find(atlas.joints, figure.worstJoint, &AtlasJoint::name);
  if (joint != atlas.joints.end()) worst.moment.joint = int(joint - atlas.joints.begin());
  const auto mesh = std::ranges::find(character.meshes, figure.worstMesh, &Mesh::name);
  if (figure.worstVertex >= 0 && mesh != character.meshes.end()) {
    worst.moment.mesh = int(mesh - character.meshes.begin());
    worst.moment.vertex = figure.worstVertex;
  }
  return worst;
}

}  // namespace ck::ui

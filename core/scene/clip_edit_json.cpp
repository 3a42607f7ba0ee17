#include "core/scene/clip_edit_json.h"

namespace ck {
namespace {

constexpr double kLongestGapSeconds = 1e6;
// The largest double below 1.
constexpr double kLastShare = 1.0 - 0x1p-53;

}  // namespace

void describeClipEdit(JsonFields& fields, ClipEdit& edit) {
  if (fields.has("root", edit.root != RootEdit())) {
    JsonFields root = fields.object("root");
    root.choice("motion", edit.root.motion, rootMotionName, RootMotion::Extract);
    if (root.has("joint", !edit.root.joint.empty())) root.text("joint", edit.root.joint);
    root.flag("x", edit.root.x);
    root.flag("y", edit.root.y);
    root.flag("z", edit.root.z);
    root.flag("yaw", edit.root.yaw);
  }
  if (fields.has("loopOffset", edit.loopOffset != 0.0)) {
    fields.number("loopOffset", edit.loopOffset, 0.0, kLastShare);
  }
  if (fields.has("dropScale", edit.dropScale)) fields.flag("dropScale", edit.dropScale);
  if (fields.has("smallestKeyGapSeconds", edit.smallestKeyGapSeconds != 0.0)) {
    fields.number("smallestKeyGapSeconds", edit.smallestKeyGapSeconds, 0.0, kLongestGapSeconds);
  }
}

}  // namespace ck

#include "core/view/drawn_as.h"

namespace ck {

DrawnAs drawnAs(const ViewSettings& view) {
  const PoseSettings& pose = view.pose;
  DrawnAs drawn{.screen = view.screen};
  if (pose.influences > 0) drawn.influences = pose.influences;
  const MethodInfo& method = methodInfo(pose.method);
  if (!method.posesClips && pose.sampling != Sampling::AsBaked) {
    drawn.interpolate = isBetweenFrames(pose.sampling);
    drawn.hardwareLinear = pose.sampling == Sampling::HardwareLinear && method.obeys.hardwareLinear;
  }
  drawn.morphs = pose.morphs.on && view.screen.distanceMeters <= pose.morphs.nearMeters;
  return drawn;
}

Reading drawnReading(const ViewSettings& view) {
  return methodInfo(view.pose.method).reading;
}

}  // namespace ck

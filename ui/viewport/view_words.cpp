#include "ui/viewport/view_words.h"

#include <QCoreApplication>

#include "render/skinning/method_offers.h"

namespace ck::ui {
namespace {

QString say(const char* text) {
  return QCoreApplication::translate("ViewWords", text);
}

}  // namespace

QString samplingTitle(Sampling sampling) {
  switch (sampling) {
    case Sampling::AsBaked:
      return say("As baked");
    case Sampling::Interpolated:
      return say("Interpolated");
    case Sampling::HardwareLinear:
      return say("Linear by hardware");
    case Sampling::Nearest:
      return say("Nearest frame");
    case Sampling::Compact:
      return say("Nearest frame, compact");
  }
  return {};
}

int fetchesOf(const PoseSettings& pose, const Atlas& atlas, bool blend, bool softwareGl) {
  const bool onProcessor =
      pose.skinOn == SkinOn::Cpu || (pose.skinOn == SkinOn::Auto && softwareGl);
  if (onProcessor && methodInfo(pose.method).obeys.skinOn) return 1;  // of the skinned vertex
  return render::fetchesPerVertex(
      pose.method, atlas,
      {.sampling = pose.sampling, .influences = pose.influences, .blend = blend});
}

}  // namespace ck::ui

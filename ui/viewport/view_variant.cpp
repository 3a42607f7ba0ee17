#include "ui/viewport/view_variant.h"

#include <QCoreApplication>

#include "ui/document/text.h"

namespace ck::ui {
namespace {

QString say(const char* text) {
  return QCoreApplication::translate("ViewVariant", text);
}

}  // namespace

render::Sampling samplingOf(const Project& project, ViewSampling sampling) {
  switch (sampling) {
    case ViewSampling::AsBaked:
      break;
    case ViewSampling::Interpolated:
      return render::Sampling::Interpolated;
    case ViewSampling::HardwareLinear:
      return render::Sampling::HardwareLinear;
    case ViewSampling::Nearest:
      return render::Sampling::Nearest;
    case ViewSampling::Compact:
      return render::Sampling::Compact;
  }
  return render::samplingFor(project.bake.interpolate);
}

ViewVariant viewVariant(const Project& project, const Atlas* atlas, bool fading) {
  const int baked = project.bake.influences;
  ViewVariant view{{.sampling = samplingOf(project, project.view.sampling),
                    .influences = project.view.influences > 0 ? project.view.influences : baked,
                    .blend = fading},
                   {}};
  if (!atlas) return view;
  const std::string refusal = render::whyNotSampled(*atlas, view.variant);
  if (refusal.empty()) return view;
  view.refusal = textOf(refusal);
  view.variant.sampling = render::samplingFor(project.bake.interpolate);
  return view;
}

QString samplingTitle(render::Sampling sampling) {
  switch (sampling) {
    case render::Sampling::Interpolated:
      return say("Interpolated");
    case render::Sampling::HardwareLinear:
      return say("Linear by hardware");
    case render::Sampling::Nearest:
      return say("Nearest frame");
    case render::Sampling::Compact:
      return say("Nearest frame, compact");
  }
  return {};
}

}  // namespace ck::ui

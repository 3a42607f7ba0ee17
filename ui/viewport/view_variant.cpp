#include "ui/viewport/view_variant.h"

#include <QCoreApplication>

#include "render/skinning/method_offers.h"
#include "ui/document/text.h"

namespace ck::ui {
namespace {

QString say(const char* text) {
  return QCoreApplication::translate("ViewVariant", text);
}

// Other methods read frame by frame or between two.
QString refusalByMethod(Method method, render::Sampling sampling) {
  if (render::whyNotSampled(method, sampling).empty()) return {};
  const auto option = sampling == render::Sampling::Compact ? &MethodOptions::compact
                                                            : &MethodOptions::hardwareLinear;
  return say("Only %1 can read so: choose that in the toolbar")
      .arg(textOf(methodsObeying(option, &MethodInfo::title)));
}

}  // namespace

int fetchesOf(const Project& project, const Atlas& atlas, const render::AtlasVariant& variant,
              bool softwareGl) {
  const SkinOn skinOn = project.view.skinOn;
  const bool onProcessor = skinOn == SkinOn::Cpu || (skinOn == SkinOn::Auto && softwareGl);
  const bool drawn = render::whyNotDrawn(project.view.method, atlas.encoding).empty();
  const Method method = drawn ? project.view.method : Method::Palette;
  if (onProcessor && methodInfo(method).obeys.skinOn) return 1;  // of the skinned vertex
  return render::fetchesPerVertex(method, atlas, variant);
}

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
  return render::samplingFor(project.characters.front().bake.interpolate);
}

ViewVariant viewVariant(const Project& project, const Atlas* atlas, bool fading) {
  const int baked = project.characters.front().bake.influences;
  ViewVariant view{{.sampling = samplingOf(project, project.view.sampling),
                    .influences = project.view.influences > 0 ? project.view.influences : baked,
                    .blend = fading},
                   {}};
  view.method = project.view.method;
  if (atlas) {
    view.methodRefusal = sentenceOf(render::whyNotDrawn(view.method, atlas->encoding));
    if (!view.methodRefusal.isEmpty()) view.method = Method::Palette;
  }
  view.refusal = refusalByMethod(view.method, view.variant.sampling);
  if (!view.refusal.isEmpty()) {
    view.variant.sampling =
        render::samplingFor(view.variant.sampling == render::Sampling::HardwareLinear);
    return view;
  }
  if (!atlas || methodInfo(view.method).reads != VertexReads::Atlas) return view;
  const std::string refusal = render::whyNotSampled(*atlas, view.variant);
  if (refusal.empty()) return view;
  view.refusal = sentenceOf(refusal);
  view.variant.sampling = render::samplingFor(project.characters.front().bake.interpolate);
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

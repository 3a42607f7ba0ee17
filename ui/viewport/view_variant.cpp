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
  return sampling == render::Sampling::Compact
             ? say("Only the method Atlas can read so: choose it in the toolbar")
             : say("Only the methods Atlas and Matrix can read so: choose one in the toolbar");
}

}  // namespace

int fetchesOf(const Project& project, const Atlas& atlas, const render::AtlasVariant& variant,
              bool softwareGl) {
  const SkinOn skinOn = project.view.skinOn;
  const bool onProcessor = skinOn == SkinOn::Cpu || (skinOn == SkinOn::Auto && softwareGl);
  switch (render::whyNotDrawn(project.view.method, atlas.encoding).empty() ? project.view.method
                                                                           : Method::Palette) {
    case Method::Palette:
      // Else of the vertex that the processor has skinned.
      return onProcessor ? 1 : render::kPaletteFetches * variant.influences;
    case Method::Live:
      return render::kPaletteFetches * variant.influences;
    case Method::Pool:
      return render::kPaletteFetches * variant.influences * (variant.blend ? 2 : 1) *
             (render::isBetweenFrames(variant.sampling) ? 2 : 1);
    case Method::Prepass:
      return 1;  // of the skinned vertex
    case Method::Atlas:
    case Method::Matrix:
    case Method::Book:
      return render::fetchesPerVertex(atlas, variant);
    case Method::Cpu:
      return 0;
  }
  return 0;
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
  return render::samplingFor(project.bake.interpolate);
}

ViewVariant viewVariant(const Project& project, const Atlas* atlas, bool fading) {
  const int baked = project.bake.influences;
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
  if (!atlas || (view.method != Method::Atlas && view.method != Method::Matrix)) return view;
  const std::string refusal = render::whyNotSampled(*atlas, view.variant);
  if (refusal.empty()) return view;
  view.refusal = sentenceOf(refusal);
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

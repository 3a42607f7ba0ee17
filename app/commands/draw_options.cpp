#include "app/commands/draw_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "render/methods/palette/palette_read.h"
#include "render/skinning/method_offers.h"

namespace ck::cli {
namespace {

constexpr const char* kAsBaked = "as-baked";

// Whether what is shown is drawn as the method draws it, be it beside something else.
bool drawsByMethod(const std::string& view) {
  return view != "source" && view != "error" && view != "blends";
}

// Whether an option asks for anything else than what is usual, which does no harm anywhere.
template <class T>
bool asksOtherThan(const std::optional<T>& said, const char* usual) {
  return said && *said != usual;
}

// An option that works with some methods and views alone.
struct Limited {
  const char* option = "";
  bool said = false;
  bool byView = false;    // whether it does something in this view
  bool byMethod = false;  // likewise
  std::string methods = {};
};

std::vector<Limited> limitedOptions(const DrawOptions& options, Method method, bool masked) {
  const std::string& view = options.view;
  const bool draws = drawsByMethod(view);
  const MethodInfo& info = methodInfo(method);
  // An option that the methods with this column obey.
  const auto of = [&](const char* option, bool said, bool byView, bool MethodOptions::*column) {
    return Limited{option, said, byView, info.obeys.*column, methodsObeying(column)};
  };
  std::vector<Limited> all = {
      {"--method", options.method.has_value(), view != "blends",
       view != "source" || info.posesClips || method == Method::Cpu},
      {"--shadows", options.shadows.has_value(), view != "motion" && view != "tangents", true},
      {"--morph-near", options.morphNear.has_value(), view != "source", true},
      of("--sampling", asksOtherThan(options.sampling, kAsBaked), draws || view == "error",
         &MethodOptions::sampling),
      of("--update-every", options.updateEvery.value_or(1) > 1, draws, &MethodOptions::updateEvery),
      of("--skin-on", asksOtherThan(options.skinOn, "auto"), draws, &MethodOptions::skinOn),
      of("--packed-influences", options.packedInfluences, draws, &MethodOptions::packedInfluences),
      of("--prepass-mb", options.prepassMebibytes.has_value(), draws, &MethodOptions::skinOn),
      of("--mask", masked, view != "blends", &MethodOptions::masks)};
  Limited read = of("--palette-read", asksOtherThan(options.paletteRead, "auto"),
                    draws || view == "blends", &MethodOptions::paletteRead);
  read.byMethod = read.byMethod || view == "blends";
  all.push_back(std::move(read));
  return all;
}

ViewSampling samplingAsked(const DrawOptions& options, const CastStage& stage) {
  if (!options.sampling) return stage.view.sampling;
  for (const ViewSampling sampling : {ViewSampling::Interpolated, ViewSampling::HardwareLinear,
                                      ViewSampling::Nearest, ViewSampling::Compact}) {
    if (viewSamplingName(sampling) == *options.sampling) return sampling;
  }
  return ViewSampling::AsBaked;
}

std::string titled(const CastStage& stage, std::size_t member, const std::string& sentence) {
  if (stage.members.size() == 1) return sentence;
  return fmt::format("{}: {}", stage.members[member].title, sentence);
}

// Why one of the atlases cannot be drawn by the method; empty where all can.
std::string whyNotDrawn(const CastStage& stage, Method method) {
  for (std::size_t c = 0; c < stage.members.size(); ++c) {
    const auto why = render::whyNotDrawn(method, stage.members[c].entry.atlas->encoding);
    if (!why.empty()) return titled(stage, c, why);
  }
  return {};
}

// The method that draws: the project's only where it can.
Method methodOf(const DrawOptions& options, const CastStage& stage) {
  if (const auto asked = methodAsked(options)) return *asked;
  return whyNotDrawn(stage, stage.view.method).empty() ? stage.view.method : Method::Palette;
}

// Why one of the atlases cannot be read so; empty where all can.
std::string whyNotSampled(const CastStage& stage, const render::RenderSettings& settings,
                          bool fading) {
  std::string why = render::whyNotSampled(settings.method, settings.sampling);
  if (!why.empty() || methodInfo(settings.method).reads != VertexReads::Atlas) return why;
  const render::AtlasVariant variant{.sampling = settings.sampling, .blend = fading};
  for (std::size_t c = 0; c < stage.members.size(); ++c) {
    why = render::whyNotSampled(*stage.members[c].entry.atlas, variant);
    if (!why.empty()) return titled(stage, c, why);
  }
  return {};
}

UsageResult<void> setSampling(const DrawOptions& options, CastStage& stage, bool fading,
                              render::RenderSettings& settings) {
  settings.sampledAsBaked = true;
  if (options.view == "source" || methodInfo(settings.method).posesClips) return {};
  const auto sampling = render::samplingFromName(viewSamplingName(samplingAsked(options, stage)));
  settings.sampledAsBaked = !sampling;
  if (!sampling) return {};
  settings.sampling = *sampling;
  const std::string why = whyNotSampled(stage, settings, fading);
  if (why.empty()) return {};
  if (options.sampling) return tl::unexpected("--sampling: " + why);
  stage.notes.push_back({Note::Level::Warning, "ViewNotDrawn",
                         fmt::format("the project asks to read the atlas {}: {}; it is read as "
                                     "baked",
                                     render::samplingName(*sampling), why)});
  settings.sampling = render::Sampling::Interpolated;
  settings.sampledAsBaked = true;
  return {};
}

void setShown(const std::string& view, render::RenderSettings& settings) {
  if (view == "source") {
    settings.shown = render::Shown::Source;
    if (!methodInfo(settings.method).posesClips) settings.method = Method::Cpu;
  }
  if (view == "split") settings.shown = render::Shown::Split;
  if (view == "error") settings.shown = render::Shown::Error;
  if (view == "motion") settings.shown = render::Shown::Motion;
  if (view == "tangents") settings.shown = render::Shown::Tangents;
  if (view == "blends") settings.shown = render::Shown::Blends;
}

}  // namespace

void addDrawOptions(CLI::App& app, DrawOptions& options) {
  std::vector<std::string> methods;
  for (const MethodInfo& info : kMethods) methods.emplace_back(info.name);
  offer(app.add_option("--method", options.method,
                       "How the crowd is skinned (default: palette, or as the project has it)"),
        methods);
  offer(app.add_option("--sampling", options.sampling,
                       "How the atlas is read between frames (compact: method atlas; "
                       "hardware-linear: atlas and matrix)"),
        {kAsBaked, "nearest", "interpolated", "hardware-linear", "compact"});
  app.add_option("--update-every", options.updateEvery,
                 "Pose each actor in every N-th tick only, in turn (method prepass)")
      ->check(CLI::Range(1, 16))
      ->option_text("N");
  offer(app.add_option("--skin-on", options.skinOn, "Where palette and prepass skin vertices"),
        {"auto", "gpu", "cpu"});
  offer(app.add_option("--view", options.view, "What is shown"),
        {"baked", "source", "split", "error", "blends", "motion", "tangents"});
  offer(app.add_option("--shadows", options.shadows,
                       "What actors cast (default: cascades, or as the project has it)"),
        {"cascades", "soft", "off"});
  app.add_option("--tick-rate", options.tickRateHz,
                 "Poses a second: the picture shows the last one up to its time (0: one for the "
                 "picture; default: 0, or as the project has it)")
      ->check(finiteNumber())
      ->check(CLI::Range(0.0, 1000.0))
      ->option_text("HZ");
  offer(app.add_option("--palette-read", options.paletteRead,
                       "What palette and live read matrices through (auto: the faster one; "
                       "default: auto, or as the project has it)"),
        {"auto", "texture", "storage"});
  app.add_flag("--packed-influences", options.packedInfluences,
               "Joint and weight in one float (method live)");
  app.add_option("--prepass-mb", options.prepassMebibytes,
                 "Memory that skinned vertices may take, in MiB (method prepass, and palette on "
                 "the processor; default: 1024)")
      ->check(CLI::Range(1, 1 << 20))
      ->option_text("MIB");
  app.add_option("--morph-near", options.morphNear,
                 "How far from the camera morph targets are still shown (default: 25, or as the "
                 "project has it)")
      ->check(finiteNumber())
      ->check(CLI::Range(0.0, 1e6))
      ->option_text("METRES");
  app.add_flag("--no-grid", options.noGrid, "Leave the ground grid out");
}

std::optional<Method> methodAsked(const DrawOptions& options) {
  return options.method ? methodFromName(*options.method) : std::nullopt;
}

UsageResult<void> checkDrawing(const DrawOptions& options, const CastStage& stage, bool masked) {
  const Method method = methodOf(options, stage);
  for (const Limited& each : limitedOptions(options, method, masked)) {
    if (!each.said || (each.byView && each.byMethod)) continue;
    if (!each.byView || each.methods.empty()) {
      return tl::unexpected(fmt::format("{} does nothing with --view {}; leave one of the two out",
                                        each.option, options.view));
    }
    return tl::unexpected(fmt::format("{} is for {}, and the method is {}", each.option,
                                      each.methods, methodName(method)));
  }
  if (options.prepassMebibytes && method == Method::Palette && options.skinOn == "gpu") {
    return tl::unexpected(std::string(
        "--prepass-mb does nothing for the method palette with --skin-on gpu, which keeps no "
        "vertices"));
  }
  return {};
}

UsageResult<render::RenderSettings> drawSettings(const DrawOptions& options, CastStage& stage,
                                                 bool fading) {
  const ViewSettings& view = stage.view;
  render::RenderSettings settings;
  settings.method = methodOf(options, stage);
  if (!options.method && settings.method != view.method && options.view != "source") {
    stage.notes.push_back({Note::Level::Warning, "ViewNotDrawn",
                           fmt::format("the project's method is left for palette: {}",
                                       whyNotDrawn(stage, view.method))});
  }
  if (auto ok = setSampling(options, stage, fading, settings); !ok) {
    return tl::unexpected(ok.error());
  }
  settings.influences = view.influences;
  const bool takesTurns = drawsByMethod(options.view);
  settings.updateEvery = takesTurns ? options.updateEvery.value_or(view.updateEvery) : 1;
  settings.skinOn = options.skinOn ? *skinOnFromName(*options.skinOn) : view.skinOn;
  settings.grid = view.grid && !options.noGrid;
  settings.paletteRead =
      options.paletteRead ? *paletteReadFromName(*options.paletteRead) : view.paletteRead;
  settings.packedInfluences = options.packedInfluences || view.packedInfluences;
  settings.morphs.nearMeters = options.morphNear.value_or(view.facesWithinMeters);
  if (options.prepassMebibytes) {
    settings.skinnedBudgetBytes = static_cast<std::size_t>(*options.prepassMebibytes) << 20;
  }
  settings.shadows = options.shadows ? *shadowsFromName(*options.shadows) : view.shadows;
  // A picture is made once, so that what is dear is no matter.
  if (settings.shadows == Shadows::Auto) settings.shadows = Shadows::Cascades;
  setShown(options.view, settings);
  return settings;
}

double tickRateOf(const DrawOptions& options, const CastStage& stage) {
  return options.tickRateHz.value_or(stage.view.tickRateHz);
}

Notes unusedOptions(const DrawOptions& options, const render::RenderSettings& settings,
                    const render::FrameStats& stats, const render::ContextFacts& facts) {
  Notes notes;
  const auto say = [&notes](const std::string& sentence) {
    notes.push_back({Note::Level::Info, "OptionUnused", sentence});
  };
  const bool asksForRead = options.paletteRead && *options.paletteRead != "auto";
  if (asksForRead && !stats.paletteRead) {
    say("--palette-read: the processor skins here, so that no palette is read; --skin-on gpu reads "
        "one");
  }
  const std::string why = render::whyNotRead(settings.paletteRead, facts);
  if (asksForRead && stats.paletteRead && !why.empty()) say("--palette-read: " + why);
  if (options.prepassMebibytes && settings.method == Method::Palette && !stats.skinnedOnCpu) {
    say("--prepass-mb: the graphics card skins as it draws, so that no vertices are kept");
  }
  return notes;
}

}  // namespace ck::cli

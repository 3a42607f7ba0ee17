#include "app/commands/draw_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/commands/choices.h"
#include "render/view/drawable_view.h"

namespace ck::cli {
namespace {

// The words of --show.
constexpr std::pair<std::string_view, bool ViewSettings::*> kLines[] = {
    {"skeleton", &ViewSettings::skeleton},
    {"axes", &ViewSettings::jointAxes},
    {"bounds", &ViewSettings::bounds},
    {"wireframe", &ViewSettings::wireframe},
    {"levels", &ViewSettings::levels}};

// Whether an option asks for anything else than what is usual.
template <class Value>
bool differs(const std::optional<Value>& asked, Value usual) {
  return asked && *asked != usual;
}

// An option that works with some methods and view modes alone.
struct Limited {
  const char* option = "";
  bool said = false;      // for some options, what is usual counts as not said
  bool byView = false;    // whether it does something in this view mode
  bool byMethod = false;  // whether it has an effect with this method
  std::string methods = {};
};

std::vector<Limited> limitedOptions(const DrawOptions& options, ViewMode mode, Method method,
                                    bool masked) {
  const bool source = mode == ViewMode::Source;
  const bool blends = mode == ViewMode::Blends;
  // Whether the view draws with the method, alone or on one side.
  const bool draws = !source && !blends && mode != ViewMode::Error;
  const bool casts = mode != ViewMode::Motion && mode != ViewMode::Tangents;
  const MethodInfo& info = methodInfo(method);
  // An option that the methods with this column obey.
  const auto of = [&](const char* option, bool said, bool byView, bool MethodOptions::*column) {
    return Limited{option, said, byView, info.obeys.*column, methodsObeying(column)};
  };
  const PoseSettings usual;
  std::vector<Limited> all = {
      {"--method", options.method.has_value(), !blends,
       !source || info.posesClips || method == Method::Cpu},
      {"--shadows", options.shadows.has_value(), casts, true},
      {"--error-scale", options.errorScaleMm.has_value(), mode == ViewMode::Error, true},
      {"--wipe", options.wipe.has_value(), isHalved(mode), true},
      {"--lod", options.detail == DetailMode::Auto, mode == ViewMode::Baked, method != Method::Cpu},
      {"--lod-pixels", options.detailPixels.has_value(), mode == ViewMode::Baked,
       method != Method::Cpu},
      {"--lod-triangles", options.detailTriangles.has_value(), mode == ViewMode::Baked,
       method != Method::Cpu},
      {"--lod-mb", options.detailMebibytes.has_value(), mode == ViewMode::Baked,
       method != Method::Cpu},
      {"--morph-near", options.morphNearMeters.has_value(), !source, true},
      of("--sampling", differs(options.sampling, usual.sampling), !source && !blends,
         &MethodOptions::sampling),
      of("--update-every", differs(options.updateEvery, usual.updateEvery), draws,
         &MethodOptions::updateEvery),
      of("--skin-on", differs(options.skinOn, usual.skinOn), draws, &MethodOptions::skinOn),
      of("--packed-influences", options.packedInfluences, draws, &MethodOptions::packedInfluences),
      of("--prepass-mb", options.prepassMebibytes.has_value(), draws, &MethodOptions::skinOn),
      of("--mask", masked, !blends, &MethodOptions::masks)};
  Limited read = of("--palette-read", differs(options.paletteRead, usual.paletteRead),
                    draws || blends, &MethodOptions::paletteRead);
  read.byMethod = read.byMethod || blends;
  all.push_back(std::move(read));
  return all;
}

}  // namespace

void addDrawOptions(CLI::App& app, DrawOptions& options) {
  Words<Method> methods;
  for (const MethodInfo& info : kMethods) methods.emplace_back(info.name, info.method);
  addChoice(app, "--method", options.method, methods,
            "How the crowd is skinned (default: palette, or as the project has it)");
  addChoice(app, "--sampling", options.sampling,
            wordsFor({Sampling::AsBaked, Sampling::Nearest, Sampling::Interpolated,
                      Sampling::HardwareLinear, Sampling::Compact},
                     samplingName),
            "How the atlas is read between frames (compact: method atlas; hardware-linear: atlas "
            "and matrix)");
  app.add_option("--update-every", options.updateEvery,
                 "Pose each actor in every N-th tick only, in turn (method prepass)")
      ->check(CLI::Range(1, 16))
      ->option_text("N");
  addChoice(app, "--skin-on", options.skinOn,
            wordsFor({SkinOn::Auto, SkinOn::Gpu, SkinOn::Cpu}, skinOnName),
            "Where palette and prepass skin vertices");
  addChoice(app, "--view", options.viewMode,
            wordsFor({ViewMode::Baked, ViewMode::Source, ViewMode::Split, ViewMode::Error,
                      ViewMode::Blends, ViewMode::Motion, ViewMode::Tangents},
                     viewModeName),
            "What is shown");
  addChoice(app, "--shadows", options.shadows,
            wordsFor({Shadows::Cascades, Shadows::Soft, Shadows::Off}, shadowsName),
            "What actors cast (default: cascades, or as the project has it)");
  app.add_option("--tick-rate", options.tickRateHz,
                 "Poses a second: the picture shows the last one up to its time (0: one for the "
                 "picture; default: 0, or as the project has it)")
      ->check(finiteNumber())
      ->check(CLI::Range(0.0, 1000.0))
      ->option_text("HZ");
  addChoice(app, "--palette-read", options.paletteRead,
            wordsFor({PaletteRead::Auto, PaletteRead::TextureBuffer, PaletteRead::StorageBuffer},
                     paletteReadName),
            "What palette and live read matrices through (auto: the faster one; default: auto, or "
            "as the project has it)");
  app.add_flag("--packed-influences", options.packedInfluences,
               "Joint and weight in one float (method live)");
  app.add_option("--prepass-mb", options.prepassMebibytes,
                 "Memory that skinned vertices may take, in MiB (method prepass, and palette on "
                 "the processor; default: 1024)")
      ->check(CLI::Range(1, 1 << 20))
      ->option_text("MIB");
  app.add_option("--morph-near", options.morphNearMeters,
                 "How far from the camera morph targets are still shown (default: 25, or as the "
                 "project has it)")
      ->check(finiteNumber())
      ->check(CLI::Range(0.0, 1e6))
      ->option_text("METRES");
  app.add_option("--error-scale", options.errorScaleMm,
                 "With --view error: the distance from the source that the last colour stands for "
                 "(0: chosen by the largest one that is shown; default: 0, or as the project has "
                 "it)")
      ->check(finiteNumber())
      ->check(CLI::Range(0.0, 1e6))
      ->option_text("MM");
  app.add_option("--wipe", options.wipe,
                 "With --view split and blends: where the picture is divided, as a share of its "
                 "width (default: 0.5, or as the project has it)")
      ->check(finiteNumber())
      ->check(CLI::Range(0.0, 1.0))
      ->option_text("SHARE");
  addChoice(app, "--lod", options.detail,
            wordsFor({DetailMode::Auto, DetailMode::Full}, detailModeName),
            "How much of far actors of a large crowd is drawn: what can be seen, or with off the "
            "whole of all actors (default: auto, or as the project has it)");
  app.add_option("--lod-pixels", options.detailPixels,
                 "How many pixels far actors may be off (default: 1, or as the project has it)")
      ->check(finiteNumber())
      ->check(CLI::Range(kFewestDetailPixels, kMostDetailPixels))
      ->option_text("PIXELS");
  app.add_option(
         "--lod-triangles", options.detailTriangles,
         "How many triangles all actors may have in one pass; far ones are off by more pixels "
         "where that is needed (default: any number, or as the project has it)")
      ->check(CLI::Range(1, kMostDetailTriangles))
      ->option_text("N");
  app.add_option(
         "--lod-mb", options.detailMebibytes,
         "Graphics memory for the simpler meshes and the pictures of far actors, in MiB (default: "
         "16 of pictures for each character, or as the project has it)")
      ->check(CLI::Range(1, static_cast<int>(kMostDetailBytes >> 20)))
      ->option_text("MIB");
  std::vector<std::string> lines;
  for (const auto& [word, flag] : kLines) lines.emplace_back(word);
  offer(app.add_option(
            "--show", options.shown,
            "What is shown over the actors, with commas: skeleton, axes (of the joints), bounds "
            "(the box of what is posed), wireframe; levels tints actors by their level of detail"),
        std::move(lines))
      ->delimiter(',')
      ->option_text("LINES");
  app.add_flag("--no-grid", options.noGrid, "Leave the ground grid out");
  app.add_flag("--show-sockets", options.showSockets,
               "Hang a cross of the axes on every socket, as the method poses it");
}

ViewSettings viewAsked(const DrawOptions& options, ViewSettings view) {
  PoseSettings& pose = view.pose;
  pose.method = options.method.value_or(pose.method);
  pose.sampling = options.sampling.value_or(pose.sampling);
  pose.updateEvery = options.updateEvery.value_or(pose.updateEvery);
  pose.skinOn = options.skinOn.value_or(pose.skinOn);
  pose.viewMode = options.viewMode.value_or(pose.viewMode);
  pose.paletteRead = options.paletteRead.value_or(pose.paletteRead);
  pose.packedInfluences = pose.packedInfluences || options.packedInfluences;
  pose.morphs.nearMeters = options.morphNearMeters.value_or(pose.morphs.nearMeters);
  if (options.prepassMebibytes) {
    pose.skinnedBudgetBytes = static_cast<std::size_t>(*options.prepassMebibytes) << 20;
  }
  view.shadows = options.shadows.value_or(view.shadows);
  view.tickRateHz = options.tickRateHz.value_or(view.tickRateHz);
  view.errorScaleMm = options.errorScaleMm.value_or(view.errorScaleMm);
  view.wipe = options.wipe.value_or(view.wipe);
  view.detail.mode = options.detail.value_or(view.detail.mode);
  view.detail.pixels = options.detailPixels.value_or(view.detail.pixels);
  if (options.detailTriangles) {
    view.detail.mostTriangles = static_cast<std::size_t>(*options.detailTriangles);
  }
  if (options.detailMebibytes) {
    view.detail.mostBytes = static_cast<std::size_t>(*options.detailMebibytes) << 20;
  }
  for (const auto& [word, flag] : kLines) {
    view.*flag = view.*flag || std::ranges::find(options.shown, word) != options.shown.end();
  }
  view.grid = view.grid && !options.noGrid;
  view.sockets = view.sockets || options.showSockets;
  return view;
}

UsageResult<void> checkDrawing(const DrawOptions& options, const Scene& scene, bool masked) {
  const PoseSettings& pose = scene.project.view.pose;
  const bool isDrawn = render::whyNotDrawn(pose.method, entriesOf(scene)).empty();
  const Method method = isDrawn || options.method ? pose.method : Method::Palette;
  for (const Limited& each : limitedOptions(options, pose.viewMode, method, masked)) {
    if (!each.said || (each.byView && each.byMethod)) continue;
    if (!each.byView || each.methods.empty()) {
      return tl::unexpected(fmt::format("{} does nothing with --view {}; leave one of the two out",
                                        each.option, viewModeName(pose.viewMode)));
    }
    return tl::unexpected(fmt::format("{} is for {}, and the method is {}", each.option,
                                      each.methods, methodName(method)));
  }
  if (scene.project.view.detail.mode == DetailMode::Full) {
    const std::pair<const char*, bool> asked[] = {
        {"--lod-pixels", options.detailPixels.has_value()},
        {"--lod-triangles", options.detailTriangles.has_value()},
        {"--lod-mb", options.detailMebibytes.has_value()}};
    for (const auto& [option, said] : asked) {
      if (!said) continue;
      return tl::unexpected(fmt::format("{} does nothing with --lod off; leave one out", option));
    }
  }
  if (options.prepassMebibytes && method == Method::Palette && options.skinOn == SkinOn::Gpu) {
    return tl::unexpected(std::string(
        "--prepass-mb does nothing for the method palette with --skin-on gpu, which keeps no "
        "vertices"));
  }
  return {};
}

Notes unusedOptions(const DrawOptions& options, const render::RenderSettings& settings,
                    const render::FrameStats& stats) {
  Notes notes;
  const auto say = [&notes](const std::string& sentence) {
    notes.push_back({Note::Level::Info, "OptionUnused", sentence});
  };
  if (differs(options.paletteRead, PaletteRead::Auto) && !stats.paletteRead) {
    say("--palette-read: the processor skins here, so that no palette is read; --skin-on gpu reads "
        "one");
  }
  if (stats.linedActors < stats.linedActorsWanted) {
    notes.push_back({Note::Level::Warning, "ViewNotDrawn",
                     fmt::format("lines are drawn over the {} of {} actors that are nearest to the "
                                 "camera",
                                 stats.linedActors, stats.linedActorsWanted)});
  }
  if (options.prepassMebibytes && settings.pose.method == Method::Palette && !stats.skinnedOnCpu) {
    say("--prepass-mb: the graphics card skins as it draws, so that no vertices are kept");
  }
  return notes;
}

}  // namespace ck::cli

#include "app/commands/draw_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "render/view/drawable_view.h"

namespace ck::cli {
namespace {

// Whether the option asks for anything that an untouched view has not.
bool changesView(const DrawOptions& options, std::string_view option) {
  return std::any_of(options.edits.begin(), options.edits.end(), [option](const auto& edit) {
    ViewSettings view;
    edit.apply(view);
    return edit.option == option && view != ViewSettings();
  });
}

// An option that works with some methods and view modes alone.
struct Limited {
  const char* option = "";
  bool said = false;      // what is usual does no harm anywhere, and counts as not said
  bool byView = false;    // whether it does something in this view mode
  bool byMethod = false;  // whether it has an effect with this method
  std::string methods = {};
};

std::vector<Limited> limitedOptions(const DrawOptions& options, ViewMode mode, Method method,
                                    bool masked) {
  const auto asked = [&options](const char* option) { return isAsked(options, option); };
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
  const auto ofChanged = [&](const char* option, bool byView, bool MethodOptions::*column) {
    return of(option, changesView(options, option), byView, column);
  };
  std::vector<Limited> all = {
      {"--method", asked("--method"), !blends, !source || info.posesClips || method == Method::Cpu},
      {"--shadows", asked("--shadows"), casts, true},
      {"--morph-near", asked("--morph-near"), !source, true},
      ofChanged("--sampling", !source && !blends, &MethodOptions::sampling),
      ofChanged("--update-every", draws, &MethodOptions::updateEvery),
      ofChanged("--skin-on", draws, &MethodOptions::skinOn),
      ofChanged("--packed-influences", draws, &MethodOptions::packedInfluences),
      of("--prepass-mb", asked("--prepass-mb"), draws, &MethodOptions::skinOn),
      of("--mask", masked, !blends, &MethodOptions::masks)};
  Limited read = ofChanged("--palette-read", draws || blends, &MethodOptions::paletteRead);
  read.byMethod = read.byMethod || blends;
  all.push_back(std::move(read));
  return all;
}

// Adds options that edit a view.
class ViewOptions {
 public:
  ViewOptions(CLI::App& app, DrawOptions& options) : app_(app), options_(options) {}

  // `set` is told the value.
  template <class Value, class Set>
  CLI::Option* add(const std::string& name, Set set, const std::string& help) {
    return app_.add_option_function<Value>(
        name,
        [&options = options_, name, set](const Value& value) {
          options.edits.push_back({name, [set, value](ViewSettings& view) { set(view, value); }});
        },
        help);
  }

  // One of a few values by name.
  template <class Value, class Set>
  void add(const std::string& name, const std::vector<std::string>& names,
           std::optional<Value> (*fromName)(std::string_view), Set set, const std::string& help) {
    offer(add<std::string>(
              name,
              [set, fromName](ViewSettings& view, const std::string& text) {
                set(view, *fromName(text));
              },
              help),
          names);
  }

  template <class Set>
  void addFlag(const std::string& name, Set set, const std::string& help) {
    app_.add_flag_callback(
        name,
        [&options = options_, name, set] {
          options.edits.push_back({name, set});
        },
        help);
  }

 private:
  CLI::App& app_;
  DrawOptions& options_;
};

}  // namespace

void addDrawOptions(CLI::App& app, DrawOptions& options) {
  ViewOptions view(app, options);
  std::vector<std::string> methods;
  for (const MethodInfo& info : kMethods) methods.emplace_back(info.name);
  view.add(
      "--method", methods, methodFromName,
      [](ViewSettings& v, Method method) { v.pose.method = method; },
      "How the crowd is skinned (default: palette, or as the project has it)");
  view.add(
      "--sampling", {"as-baked", "nearest", "interpolated", "hardware-linear", "compact"},
      samplingFromName, [](ViewSettings& v, Sampling sampling) { v.pose.sampling = sampling; },
      "How the atlas is read between frames (compact: method atlas; hardware-linear: atlas and "
      "matrix)");
  view.add<int>(
          "--update-every", [](ViewSettings& v, int every) { v.pose.updateEvery = every; },
          "Pose each actor in every N-th tick only, in turn (method prepass)")
      ->check(CLI::Range(1, 16))
      ->option_text("N");
  view.add(
      "--skin-on", {"auto", "gpu", "cpu"}, skinOnFromName,
      [](ViewSettings& v, SkinOn skinOn) { v.pose.skinOn = skinOn; },
      "Where palette and prepass skin vertices");
  view.add(
      "--view", {"baked", "source", "split", "error", "blends", "motion", "tangents"},
      viewModeFromName, [](ViewSettings& v, ViewMode mode) { v.pose.viewMode = mode; },
      "What is shown");
  view.add(
      "--shadows", {"cascades", "soft", "off"}, shadowsFromName,
      [](ViewSettings& v, Shadows shadows) { v.shadows = shadows; },
      "What actors cast (default: cascades, or as the project has it)");
  view.add<double>(
          "--tick-rate", [](ViewSettings& v, double hertz) { v.tickRateHz = hertz; },
          "Poses a second: the picture shows the last one up to its time (0: one for the picture; "
          "default: 0, or as the project has it)")
      ->check(finiteNumber())
      ->check(CLI::Range(0.0, 1000.0))
      ->option_text("HZ");
  view.add(
      "--palette-read", {"auto", "texture", "storage"}, paletteReadFromName,
      [](ViewSettings& v, PaletteRead read) { v.pose.paletteRead = read; },
      "What palette and live read matrices through (auto: the faster one; default: auto, or as the "
      "project has it)");
  view.addFlag(
      "--packed-influences", [](ViewSettings& v) { v.pose.packedInfluences = true; },
      "Joint and weight in one float (method live)");
  view.add<int>(
          "--prepass-mb",
          [](ViewSettings& v, int mebibytes) {
            v.pose.skinnedBudgetBytes = static_cast<std::size_t>(mebibytes) << 20;
          },
          "Memory that skinned vertices may take, in MiB (method prepass, and palette on the "
          "processor; default: 1024)")
      ->check(CLI::Range(1, 1 << 20))
      ->option_text("MIB");
  view.add<double>(
          "--morph-near", [](ViewSettings& v, double meters) { v.pose.morphs.nearMeters = meters; },
          "How far from the camera morph targets are still shown (default: 25, or as the project "
          "has it)")
      ->check(finiteNumber())
      ->check(CLI::Range(0.0, 1e6))
      ->option_text("METRES");
  view.addFlag(
      "--no-grid", [](ViewSettings& v) { v.grid = false; }, "Leave the ground grid out");
}

bool isAsked(const DrawOptions& options, std::string_view option) {
  return std::any_of(options.edits.begin(), options.edits.end(),
                     [option](const auto& edit) { return edit.option == option; });
}

ViewSettings viewAsked(const DrawOptions& options, ViewSettings view) {
  for (const DrawOptions::Edit& edit : options.edits) edit.apply(view);
  return view;
}

UsageResult<void> checkDrawing(const DrawOptions& options, const CastStage& stage, bool masked) {
  const PoseSettings& pose = stage.view.pose;
  const bool isDrawn = render::whyNotDrawn(pose.method, stage.entries()).empty();
  const Method method = isDrawn || isAsked(options, "--method") ? pose.method : Method::Palette;
  for (const Limited& each : limitedOptions(options, pose.viewMode, method, masked)) {
    if (!each.said || (each.byView && each.byMethod)) continue;
    if (!each.byView || each.methods.empty()) {
      return tl::unexpected(fmt::format("{} does nothing with --view {}; leave one of the two out",
                                        each.option, viewModeName(pose.viewMode)));
    }
    return tl::unexpected(fmt::format("{} is for {}, and the method is {}", each.option,
                                      each.methods, methodName(method)));
  }
  const bool onGpu = isAsked(options, "--skin-on") && pose.skinOn == SkinOn::Gpu;
  if (isAsked(options, "--prepass-mb") && method == Method::Palette && onGpu) {
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
  if (changesView(options, "--palette-read") && !stats.paletteRead) {
    say("--palette-read: the processor skins here, so that no palette is read; --skin-on gpu reads "
        "one");
  }
  if (isAsked(options, "--prepass-mb") && settings.pose.method == Method::Palette &&
      !stats.skinnedOnCpu) {
    say("--prepass-mb: the graphics card skins as it draws, so that no vertices are kept");
  }
  return notes;
}

}  // namespace ck::cli

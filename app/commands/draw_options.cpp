#include "app/commands/draw_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/options/choices.h"
#include "render/view/drawable_view.h"

namespace ck::cli {
namespace {

constexpr std::string_view kShow = "--show";

void addWords(CLI::App& app, const ViewOption& row, std::map<const ViewOption*, double>& given) {
  std::vector<std::string> words;
  for (const std::string_view word : row.offered.empty() ? row.words : row.offered) {
    words.emplace_back(word);
  }
  const auto give = [&row, &given](const std::string& word) {
    const auto known = std::ranges::find(row.words, word);
    given[&row] = static_cast<double>(known - row.words.begin());
  };
  offer(app.add_option_function<std::string>(std::string(row.line.option), give,
                                             std::string(row.line.help)),
        std::move(words));
}

void addViewOption(CLI::App& app, const ViewOption& row,
                   std::map<const ViewOption*, double>& given) {
  const std::string name(row.line.option);
  const std::string help(row.line.help);
  const auto give = [&row, &given](auto value) {
    given[&row] = static_cast<double>(value) * row.line.perUnit;
  };
  const std::string unit(row.line.unit);
  switch (row.kind) {
    case ViewKind::Choice:
      return addWords(app, row, given);
    case ViewKind::Flag:
      app.add_flag_callback(
          name, [give, &row] { give(1.0); }, help);
      return;
    case ViewKind::Whole:
      app.add_option_function<int>(name, give, help)
          ->check(CLI::Range(static_cast<int>(row.line.low), static_cast<int>(row.line.high)))
          ->option_text(unit);
      return;
    case ViewKind::Number:
      app.add_option_function<double>(name, give, help)
          ->check(finiteNumber())
          ->check(CLI::Range(row.line.low, row.line.high))
          ->option_text(unit);
  }
}

// The switches of --show, which is one option with several words.
void addShow(CLI::App& app, std::map<const ViewOption*, double>& given) {
  std::vector<std::string> words;
  for (const ViewOption& row : viewOptions()) {
    if (row.line.option == kShow) words.emplace_back(row.line.help);
  }
  const auto give = [&given](const std::vector<std::string>& shown) {
    for (const ViewOption& row : viewOptions()) {
      if (row.line.option == kShow && std::ranges::find(shown, row.line.help) != shown.end()) {
        given[&row] = 1.0;
      }
    }
  };
  offer(app.add_option_function<std::vector<std::string>>(
            std::string(kShow), give,
            "What is shown over the actors, with commas: skeleton, axes (of the joints), bounds "
            "(the box of what is posed), wireframe; levels tints actors by their level of detail"),
        std::move(words))
      ->delimiter(',')
      ->option_text("LINES");
}

}  // namespace

void DrawOptions::addTo(CLI::App& app) {
  for (const ViewOption& row : viewOptions()) {
    if (row.line.option.empty() || (row.line.option == kShow && app.get_option_no_throw("--show")))
      continue;
    if (row.line.option == kShow) {
      addShow(app, given_);
    } else {
      addViewOption(app, row, given_);
    }
  }
}

std::optional<Method> DrawOptions::method() const {
  const auto given = given_.find(&viewOption("--method"));
  return given == given_.end() ? std::nullopt : std::optional(static_cast<Method>(given->second));
}

void DrawOptions::applyTo(ViewSettings& view) const {
  for (const auto& [row, value] : given_) row->set(view, value);
}

UsageResult<void> DrawOptions::check(const Scene& scene, bool masked) const {
  const ViewSettings& view = scene.project.view;
  const bool isDrawn = render::whyNotDrawn(view.pose.method, entriesOf(scene)).empty();
  const Method method = isDrawn || has("--method") ? view.pose.method : Method::Palette;
  for (const ViewOption& row : viewOptions()) {
    const auto given = given_.find(&row);
    if (given == given_.end() || row.effect.neutral == given->second) continue;
    std::string why = whyNoEffect(row, view.pose.viewMode, method);
    if (why.empty() && row.line.option.starts_with("--lod-") &&
        view.detail.mode == DetailMode::Full) {
      why = fmt::format("{} does nothing with --lod off; leave one out", row.line.option);
    }
    if (!why.empty()) return tl::unexpected(std::move(why));
  }
  const ViewOption mask{
      .line = {"--mask"},
      .effect = {[](ViewMode mode, const MethodInfo&) { return mode != ViewMode::Blends; },
                 &MethodOptions::masks}};
  const std::string why = masked ? whyNoEffect(mask, view.pose.viewMode, method) : std::string();
  if (!why.empty()) return tl::unexpected(why);
  const auto skinOn = given_.find(&viewOption("--skin-on"));
  const bool isGpu = skinOn != given_.end() && skinOn->second == static_cast<double>(SkinOn::Gpu);
  if (has("--prepass-mb") && method == Method::Palette && isGpu) {
    return tl::unexpected(std::string(
        "--prepass-mb does nothing for the method palette with --skin-on gpu, which keeps no "
        "vertices"));
  }
  return {};
}

Notes DrawOptions::unused(const render::RenderSettings& settings,
                          const render::FrameStats& stats) const {
  Notes notes;
  const auto say = [&notes](const std::string& sentence) {
    notes.push_back({Note::Level::Info, "OptionUnused", sentence});
  };
  const auto read = given_.find(&viewOption("--palette-read"));
  if (read != given_.end() && read->first->effect.neutral != read->second && !stats.paletteRead) {
    say("--palette-read: the processor skins here, so that no palette is read; --skin-on gpu reads "
        "one");
  }
  if (stats.linedActors < stats.linedActorsWanted) {
    notes.push_back({Note::Level::Warning, "ViewNotDrawn",
                     fmt::format("lines are drawn over the {} of {} actors that are nearest to the "
                                 "camera",
                                 stats.linedActors, stats.linedActorsWanted)});
  }
  const bool isPalette = settings.view.pose.method == Method::Palette;
  if (has("--prepass-mb") && isPalette && !stats.skinnedOnCpu) {
    say("--prepass-mb: the graphics card skins as it draws, so that no vertices are kept");
  }
  return notes;
}

}  // namespace ck::cli

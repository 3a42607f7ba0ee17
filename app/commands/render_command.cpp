#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <memory>

#include "app/commands/commands.h"
#include "app/commands/render_document.h"
#include "app/commands/scene_image.h"
#include "app/options/choices.h"
#include "core/project/characters.h"
#include "core/project/source_files.h"
#include "core/system/files.h"
#include "core/view/drawn_as.h"
#include "render/headless.h"

namespace ck::cli {
namespace {

std::filesystem::path wholePath(const std::filesystem::path& path) {
  std::error_code failed;
  return std::filesystem::weakly_canonical(std::filesystem::absolute(path, failed), failed);
}

// Refuses an output file that is an input file. Projects, the files they use, and settings are
// protected by the file ending that `option` requires.
UsageResult<void> checkOutput(const char* option, const std::string& file,
                              const SceneOptions& scene) {
  std::vector<std::pair<std::string, std::string>> inputs;  // texts of options, files
  for (const std::string& text : scene.input.import.files) inputs.emplace_back(text, text);
  if (!scene.place.empty()) inputs.emplace_back(scene.place, scene.place);
  const auto add = [&inputs](const std::string& text, char sign) {
    inputs.emplace_back(text, text);
    inputs.emplace_back(text, text.substr(0, text.rfind(sign)));
  };
  for (const std::string& text : scene.further) add(text, '=');
  for (const std::string& text : scene.props) add(text, '@');
  for (const auto& [text, input] : inputs) {
    if (wholePath(pathFromText(input)) != wholePath(pathFromText(file))) continue;
    return tl::unexpected(
        fmt::format("{}: {} is what is to be drawn; name another file", option, text));
  }
  return {};
}

// Refuses an output file that a rig of the scene names, its pictures above all.
UsageResult<void> checkCompanions(const char* option, const std::string& file, const Scene& scene) {
  const std::filesystem::path output = wholePath(pathFromText(file));
  std::vector<std::filesystem::path> sources;
  for (const SceneCharacter& one : scene.characters) {
    sources.push_back(pathFromText(one.stage->source.character->source.path));
  }
  for (const std::filesystem::path& read :
       filesReadWith(std::move(sources), output.parent_path())) {
    if (wholePath(read) != output) continue;
    return tl::unexpected(fmt::format("{}: {} belongs to what is to be drawn; name another file",
                                      option, pathText(read)));
  }
  return {};
}

int run(const RenderOptions& options, const Shell& shell) {
  const std::string usual = options.sheetColumns > 0 ? "160x200" : "1280x720";
  const auto size = pixelSize(options.size.empty() ? usual : options.size);
  if (!size) return shell.fail(size.error());
  const std::array outputs = {std::pair{"--output", options.output},
                              std::pair{"--stats", options.stats}};
  for (const auto& [option, file] : outputs) {
    if (file.empty()) continue;
    if (auto ok = checkOutput(option, file, options.scene); !ok) return shell.fail(ok.error());
  }
  const JobContext job = shell.job();
  auto scene = makeScene(options.scene, job.part(0.0f, 0.6f));
  if (!scene) return shell.fail(scene.error());
  for (const auto& [option, file] : outputs) {
    if (file.empty()) continue;
    if (auto ok = checkCompanions(option, file, *scene); !ok) return shell.fail(ok.error());
  }
  ViewSettings& view = scene->project.view;
  options.drawing.applyTo(view);
  view.screen = screenView(options.screen, view.screen);
  // An image is made once, so the dearest shadows are affordable.
  if (view.shadows == Shadows::Auto) view.shadows = Shadows::Cascades;
  const auto context = render::HeadlessContext::make();
  if (!context) return shell.fail(context.error());
  const auto image =
      drawScene(options, *scene, *size, job.part(0.6f, options.errors ? 0.8f : 1.0f));
  if (!image) return shell.fail(image.error());
  Result<std::vector<BakeError>> errors = std::vector<BakeError>();
  if (options.errors) {
    errors = measureErrors(*scene, drawnAs(drawnView(*scene, *image)), job.part(0.8f, 1.0f));
  }
  if (!errors) return shell.fail(errors.error());
  if (job.stopRequested()) return shell.fail(Error{ErrorCode::Cancelled, "interrupted"});

  const std::filesystem::path output = pathFromText(options.output);
  if (auto ok = render::writePng(image->frame, output); !ok) return shell.fail(ok.error());
  if (!options.stats.empty()) {
    const std::string csv = render::statsCsv(image->stats, image->facts);
    auto kept = writeFileAtomically(pathFromText(options.stats), std::as_bytes(std::span(csv)),
                                    Links::Follow);
    if (!kept) return shell.fail(kept.error());
  }
  const auto bytes = readFile(output, std::uint64_t{4} << 30);
  if (!bytes) return shell.fail(bytes.error());
  shell.remark(image->notes);
  return shell.finish(renderDocument(options, *scene, *image, *errors, *bytes),
                      renderText(options, *scene, *image, *errors));
}

bool endsWith(const std::string& path, std::string_view ending) {
  return CLI::detail::to_lower(path).ends_with(ending);
}

// The file endings keep outputs from overwriting rigs, projects and atlases.
std::string whyNoImage(const std::string& path) {
  if (!endsWith(path, ".png")) return "the picture is a PNG; its name must end with .png";
  if (!endsWith(path, ".atlas.png")) return {};
  return "files whose names end with .atlas.png are atlases; name the picture otherwise";
}

std::string whyNoStats(const std::string& path) {
  return endsWith(path, ".csv") ? "" : "the costs are a CSV file; its name must end with .csv";
}

}  // namespace

Command addRender(CLI::App& root, Shell& shell) {
  auto options = std::make_shared<RenderOptions>();
  CLI::App* app = root.add_subcommand(
      "render",
      "Draw a crowd, or a contact sheet, of a rig, an atlas folder or a project without a window");
  SceneOptions& scene = options->scene;
  addInputOptions(*app, scene.input);
  addCrowdChoice(*app, scene.input);
  app->add_option("-o,--output", options->output, "The PNG to write")
      ->required()
      ->check(CLI::Validator(whyNoImage, ""))
      ->option_text("OUT.png");
  addCrowdOptions(*app, scene);
  addFadeOptions(*app, options->fade);
  addPlayOption(*app, options->play);
  addWithOption(*app, scene);
  addPropOption(*app, scene);
  options->drawing.addTo(*app);
  app->add_option("--time", options->seconds, "Seconds after the start (default: 0)")
      ->check(finiteNumber())
      ->option_text("S");
  app->add_option("--size", options->size, "Pixels (default: 1280x720; a sheet's cell 160x200)")
      ->option_text("WxH");
  app->add_option("--camera", options->camera, "All of the crowd, or eye and target")
      ->option_text("frame|X,Y,Z:X,Y,Z");
  app->add_option("--sheet", options->sheetColumns,
                  "A contact sheet: a row per clip with this many moments")
      ->check(CLI::Range(1, 256))
      ->option_text("COLUMNS");
  app->add_option("--stats", options->stats, "A CSV file to write what the picture cost to")
      ->check(CLI::Validator(whyNoStats, ""))
      ->option_text("FILE.csv");
  app->add_flag("--events", options->events,
                "List in the document which events were passed since the start, with their times");
  app->add_flag("--errors", options->errors,
                "State how far the bake of each character is from its source, members of the cast "
                "and of a project included");
  addScreenOptions(*app, options->screen, ", or as the project has it");
  for (const char* name : {"--screen-distance", "--screen-height", "--screen-angle"}) {
    app->get_option(name)->needs(app->get_option("--errors"));
  }
  addMorphOption(*app, options->morphs, "Weight of a morph target, for all actors");
  app->add_option("--vary-morph", scene.variedMorphs,
                  "A morph target of which every actor gets a weight of its own, from 0 to 1")
      ->allow_extra_args(false)
      ->option_text("NAME");
  addPlaceOption(*app, scene);
  // A contact sheet shows every clip on its own, with the first character.
  for (const char* name : {"--with", "--prop", "--fade-to", "--play", "--morph", "--vary-morph",
                           "--morph-near", "--tick-rate", "--update-every", "--events", "--time",
                           "--camera", "--actors", "--formation", "--seed", "--place"}) {
    app->get_option("--sheet")->excludes(app->get_option(name));
  }
  addBakeOptions(*app, scene.input.bake);
  app->get_option("--sheet")->excludes(app->get_option("--event"));
  addSettingsOption(*app);
  addShellOptions(*app, shell, true);
  return {app, [options, app, &shell] {
            SceneOptions& asked = options->scene;
            asked.actorsAsked = app->count("--actors") + app->count("--seed") +
                                    app->count("--formation") + app->count("--vary-morph") >
                                0;
            asked.method = options->drawing.method();
            return run(*options, shell);
          }};
}

}  // namespace ck::cli

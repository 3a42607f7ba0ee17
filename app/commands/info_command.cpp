#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands/commands.h"
#include "app/commands/event_options.h"
#include "app/commands/options.h"
#include "app/commands/project_info.h"
#include "app/commands/shell.h"
#include "core/anim/pose.h"
#include "core/bake/seam.h"
#include "core/base/files.h"
#include "core/project/characters.h"
#include "core/project/project_json.h"

namespace ck::cli {
namespace {

using Json = nlohmann::ordered_json;

// A clip with its measurements.
struct ClipFacts {
  std::size_t keys = 0;
  std::optional<double> keyRateHz;  // nothing if the keys are not uniform
  SeamVerdict seam;
};

ClipFacts factsOf(const Character& character, const Clip& clip) {
  ClipFacts facts;
  facts.keys = keyTimes(clip).size();
  if (const auto grid = keyGrid(clip)) facts.keyRateHz = 1.0 / grid->stepSeconds;
  if (!character.rig.skinJoints.empty()) facts.seam = measureSeam(character, clip);
  return facts;
}

Json matrixJson(const glm::dmat4& matrix) {
  Json numbers = Json::array();
  for (int column = 0; column < 4; ++column) {
    for (int row = 0; row < 4; ++row) numbers.push_back(matrix[column][row]);
  }
  return numbers;
}

Json meshJson(const Character& character, const Mesh& mesh) {
  Json targets = Json::array();
  for (const MorphTarget& target : mesh.morphTargets) targets.push_back(target.name);
  Json material;
  if (mesh.material >= 0) material = character.materials[std::size_t(mesh.material)].name;
  return {{"name", mesh.name},
          {"vertices", mesh.positions.size()},
          {"triangles", mesh.indices.size() / 3},
          {"influencesMax", maxInfluences(mesh)},
          {"morphTargets", targets},
          {"material", material}};
}

Json clipJson(const Clip& clip, const ClipFacts& facts) {
  Json events = Json::array();
  for (const ClipEvent& event : clip.events) {
    events.push_back({{"name", event.name}, {"seconds", event.seconds}});
  }
  Json rate;
  if (facts.keyRateHz) rate = *facts.keyRateHz;
  return {{"name", clip.name},
          {"startSeconds", clip.startSeconds},
          {"durationSeconds", clip.durationSeconds},
          {"keyRateHz", rate},
          {"keys", facts.keys},
          {"seam", seamName(facts.seam.seam)},
          {"seamMm", facts.seam.seamMm},
          {"stepMm", facts.seam.stepMm},
          {"jointTracks", clip.jointTracks.size()},
          {"morphTracks", clip.morphTracks.size()},
          {"groundSpeedMetersPerSecond", clip.groundSpeedMetersPerSecond},
          {"events", events}};
}

std::string document(const Character& character, const std::vector<ClipFacts>& facts) {
  const SourceInfo& source = character.source;
  Json joints = Json::array();
  for (const Joint& joint : character.rig.joints) {
    joints.push_back({{"name", joint.name}, {"parent", joint.parent}});
  }
  Json meshes = Json::array();
  for (const Mesh& mesh : character.meshes) meshes.push_back(meshJson(character, mesh));
  Json clips = Json::array();
  for (std::size_t i = 0; i < facts.size(); ++i) {
    clips.push_back(clipJson(character.clips[i], facts[i]));
  }
  Json notes = Json::array();
  for (const Note& note : character.notes) {
    notes.push_back(
        {{"level", noteLevelName(note.level)}, {"code", note.code}, {"message", note.message}});
  }
  const Bounds bounds = bindBounds(character);
  const Json json = {{"file", source.path},
                     {"format", source.format},
                     {"unitScale", source.unitScale},
                     {"upAxis", source.upAxis},
                     {"sourceToModel", matrixJson(source.sourceToModel)},
                     {"heightMeters", bounds.high.y - bounds.low.y},
                     {"joints", joints},
                     {"skinJoints", character.rig.skinJoints.size()},
                     {"meshes", meshes},
                     {"clips", clips},
                     {"notes", notes}};
  return json.dump(1, ' ', false, Json::error_handler_t::replace);
}

std::string text(const Character& character, const std::vector<ClipFacts>& facts) {
  std::string lines =
      fmt::format("{}: {}, {} joints, {} m per unit\n", character.source.path,
                  character.source.format, character.rig.joints.size(), character.source.unitScale);
  for (const Mesh& mesh : character.meshes) {
    lines += fmt::format("  mesh {}: {} vertices, {} triangles, {} influences at most, {} morphs\n",
                         mesh.name, mesh.positions.size(), mesh.indices.size() / 3,
                         maxInfluences(mesh), mesh.morphTargets.size());
  }
  for (std::size_t i = 0; i < facts.size(); ++i) {
    const Clip& clip = character.clips[i];
    const std::string rate =
        facts[i].keyRateHz ? fmt::format("{:.4g} Hz", *facts[i].keyRateHz) : "uneven keys";
    lines += fmt::format("  clip {}: {:.3f} s, {} keys, {}, seam {} ({:.2f} mm)\n", clip.name,
                         clip.durationSeconds, facts[i].keys, rate, seamName(facts[i].seam.seam),
                         facts[i].seam.seamMm);
    if (!clip.events.empty()) lines += fmt::format("    events: {}\n", eventsText(clip.events));
  }
  return lines;
}

int runProject(const ImportOptions& options, const Shell& shell) {
  if (options.files.size() > 1) {
    return shell.misuse(fmt::format("{} names its own files", options.files.front()));
  }
  const auto project = readProjectFile(pathFromText(options.files.front()));
  if (!project) return shell.fail(project.error());
  return shell.finish(shell.json ? projectDocument(options.files.front(), *project) : "",
                      projectText(options.files.front(), *project));
}

int run(const ImportOptions& options, const Shell& shell) {
  if (isProjectPath(options.files.front())) return runProject(options, shell);
  const JobContext job = shell.job();
  const auto character = importFiles(options, job);
  if (!character) return shell.fail(character.error());
  std::vector<ClipFacts> facts;
  for (const Clip& clip : character->clips) {
    if (job.stopRequested()) return shell.fail({ErrorCode::Cancelled, "interrupted"});
    facts.push_back(factsOf(*character, clip));
  }
  shell.remark(character->notes);
  return shell.finish(shell.json ? document(*character, facts) : "", text(*character, facts));
}

}  // namespace

Command addInfo(CLI::App& root, Shell& shell) {
  auto options = std::make_shared<ImportOptions>();
  CLI::App* app = root.add_subcommand(
      "info", "What is in a rig: joints, meshes, clips, notes; or in a project: its cast");
  addImportOptions(*app, *options);
  addShellOptions(*app, shell, false);
  return {app, [options, &shell] { return run(*options, shell); }};
}

}  // namespace ck::cli

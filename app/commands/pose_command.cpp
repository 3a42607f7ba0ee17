#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "app/commands/cast.h"
#include "app/commands/commands.h"
#include "app/options/actor_options.h"
#include "app/options/choices.h"
#include "app/options/json.h"
#include "app/options/numbers.h"
#include "app/options/options.h"
#include "app/options/shell.h"
#include "core/anim/clip_sampler.h"
#include "core/anim/pose.h"
#include "core/morph/morph_set.h"
#include "core/skinning/cpu_skinning.h"

namespace ck::cli {
namespace {

struct PoseOptions {
  InputOptions input;
  std::string clip;  // empty: the rest pose
  std::optional<double> seconds;
  std::string times;  // several moments, or empty
  std::string vertices = "all";
  std::vector<std::string> morphs;  // NAME=W
};

// Uniformly spaced indices that include the first vertex.
UsageResult<std::vector<std::size_t>> vertexIndices(const std::string& wanted, std::size_t count) {
  const auto number = wanted == "all" ? count : numberFrom<std::size_t>(wanted);
  if (!number) {
    return tl::unexpected(fmt::format("--vertices: '{}' is neither 'all' nor a number", wanted));
  }
  const std::size_t kept = std::min(*number, count);
  std::vector<std::size_t> indices;
  indices.reserve(kept);
  for (std::size_t i = 0; i < kept; ++i) indices.push_back(i * count / kept);
  return indices;
}

template <class Vectors>
Json vectorsJson(const Vectors& vectors, const std::vector<std::size_t>& indices) {
  Json numbers = Json::array();
  for (const std::size_t index : indices) {
    for (int axis = 0; axis < 3; ++axis) {
      numbers.push_back(static_cast<double>(vectors[index][axis]));
    }
  }
  return numbers;
}

// The pose to write: a clip at a time, or the rest pose.
struct Posed {
  const Clip* clip = nullptr;
  double seconds = 0.0;
  std::vector<glm::dmat4> globals;
};

std::vector<float> weightsOf(const Character& character, const Posed& posed, std::size_t mesh,
                             const std::vector<MorphWeight>& settings) {
  const Mesh& source = character.meshes[mesh];
  std::vector<float> weights = source.defaultMorphWeights;
  if (posed.clip != nullptr) {
    weights = sampleMorphWeights(character, *posed.clip, static_cast<int>(mesh), posed.seconds);
  }
  const MorphSet set = morphSetOf(character);
  for (const MorphWeight& setting : settings) {
    for (const int morph : morphsNamed(set, setting.name)) {
      for (const MorphMember& member : set[static_cast<std::size_t>(morph)].members) {
        if (member.mesh == static_cast<int>(mesh)) {
          weights[static_cast<std::size_t>(member.target)] = setting.weight;
        }
      }
    }
  }
  return weights;
}

Json jointsJson(const Character& character, const Posed& posed) {
  Json joints = Json::array();
  for (std::size_t i = 0; i < posed.globals.size(); ++i) {
    joints.push_back(
        {{"name", character.rig.joints[i].name}, {"model", matrixJson(posed.globals[i])}});
  }
  return joints;
}

// Mesh::bindStretch, column by column.
Json stretchJson(const Mesh& mesh) {
  Json numbers = Json::array();
  for (int i = 0; i < 9; ++i) numbers.push_back(mesh.bindStretch[i / 3][i % 3]);
  return numbers;
}

// The data that move the vertices of a mesh: bind positions, influences and morph targets.
Json meshJson(const Mesh& mesh) {
  std::vector<std::size_t> all(mesh.positions.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  Json skinJoints = Json::array();
  Json weights = Json::array();
  for (const Influence& influence : mesh.influences) {
    skinJoints.push_back(influence.skinJoint);
    weights.push_back(static_cast<double>(influence.weight));
  }
  Json targets = Json::array();
  for (const MorphTarget& target : mesh.morphTargets) {
    std::vector<std::size_t> entries(target.vertices.size());
    std::iota(entries.begin(), entries.end(), std::size_t{0});
    targets.push_back({{"name", target.name},
                       {"vertices", target.vertices},
                       {"positionDeltas", vectorsJson(target.positionDeltas, entries)}});
  }
  return {{"name", mesh.name},
          {"bindPositions", vectorsJson(mesh.positions, all)},
          {"bindScale", mesh.bindScale},
          {"bindStretch", stretchJson(mesh)},
          {"influenceStarts", mesh.influenceStarts},
          {"skinJoints", std::move(skinJoints)},
          {"weights", std::move(weights)},
          {"defaultMorphWeights", mesh.defaultMorphWeights},
          {"morphTargets", std::move(targets)}};
}

// The skin matrices and morph weights of a clip at several moments, and the meshes once.
Json momentsDocument(const Character& character, const Clip& clip, const std::vector<double>& times,
                     const std::vector<MorphWeight>& morphs) {
  Json moments = Json::array();
  for (const double seconds : times) {
    Posed posed{&clip, seconds, {}};
    posed.globals = globalMatrices(character.rig, sampleClip(character.rig, clip, seconds));
    Json skins = Json::array();
    for (const glm::dmat4& skin : skinMatrices(character.rig, posed.globals)) {
      skins.push_back(matrixJson(skin));
    }
    Json weights = Json::array();
    for (std::size_t mesh = 0; mesh < character.meshes.size(); ++mesh) {
      weights.push_back(weightsOf(character, posed, mesh, morphs));
    }
    moments.push_back({{"timeSeconds", seconds},
                       {"skinMatrices", std::move(skins)},
                       {"morphWeights", std::move(weights)}});
  }
  Json meshes = Json::array();
  for (const Mesh& mesh : character.meshes) meshes.push_back(meshJson(mesh));
  return {{"clip", clip.name}, {"moments", std::move(moments)}, {"meshes", std::move(meshes)}};
}

UsageResult<const Clip*> clipFrom(const Character& character, const std::vector<ProjectClip>& clips,
                                  const std::string& text) {
  const auto index = findClip(character, clips, text);
  if (!index) return tl::unexpected(index.error());
  return &character.clips[clipNamed(character, clips[*index].name).value_or(0)];
}

// The output of this command is numbers only. Without --json they are broken into lines.
int finish(Json document, const ProjectInput& input, const Notes& notes, const Shell& shell) {
  document["overridden"] = input.overridden;
  document["notes"] = notesJson(notes);
  shell.remark(notes);
  const std::string text = shell.json ? "" : documentText(document) + "\n";
  return shell.finish(std::move(document), text, kDone, -1);
}

int run(const PoseOptions& options, const Shell& shell) {
  const std::vector<double> times = numbersFrom(options.times);
  if (times.empty() && !options.times.empty()) {
    return shell.fail(
        std::string("--times: write finite numbers of seconds with commas between them"));
  }
  const JobContext job = shell.job();
  auto input = projectFrom(options.input, job.part(0.0f, 0.5f));
  if (!input) return shell.fail(input.error());
  Notes notes = input->notes;
  keepFirstCharacter(*input, options.input, notes);
  const auto stage =
      loadFirst(*input, options.input, {.atlases = CastPlan::Atlases::None}, job.part(0.5f, 1.0f));
  if (!stage) return shell.fail(stage.error());
  const CharacterPtr character = (*stage)->source.character;
  const std::vector<ProjectClip>& clips = (*stage)->settings.clips;
  const auto morphs = morphWeights(options.morphs, *character);
  if (!morphs) return shell.fail(morphs.error());
  if (!times.empty()) {
    const auto clip = clipFrom(*character, clips, options.clip);
    if (!clip) return shell.fail(clip.error());
    return finish(momentsDocument(*character, **clip, times, *morphs), *input, notes, shell);
  }

  Posed posed;
  if (!options.clip.empty()) {
    const auto clip = clipFrom(*character, clips, options.clip);
    if (!clip) return shell.fail(clip.error());
    posed.clip = *clip;
    posed.seconds = options.seconds.value_or(posed.clip->startSeconds);
    posed.globals =
        globalMatrices(character->rig, sampleClip(character->rig, *posed.clip, posed.seconds));
  } else {
    posed.globals = restMatrices(character->rig);
  }

  const std::vector<glm::dmat4> skins = skinMatrices(character->rig, posed.globals);
  Json meshes = Json::array();
  for (std::size_t i = 0; i < character->meshes.size(); ++i) {
    const Mesh& mesh = character->meshes[i];
    const auto indices = vertexIndices(options.vertices, mesh.positions.size());
    if (!indices) return shell.fail(indices.error());
    const std::vector<float> weights = weightsOf(*character, posed, i, *morphs);
    const SkinnedMesh skinned =
        skinMesh(mesh, skins, {.influenceLimit = 0, .morphWeights = weights});
    Json entry = {{"name", mesh.name}, {"vertexCount", mesh.positions.size()}};
    if (indices->size() < mesh.positions.size()) entry["vertexIndices"] = *indices;
    entry["bindPositions"] = vectorsJson(mesh.positions, *indices);
    entry["bindScale"] = mesh.bindScale;
    entry["bindStretch"] = stretchJson(mesh);
    entry["positions"] = vectorsJson(skinned.positions, *indices);
    entry["normals"] = vectorsJson(skinned.normals, *indices);
    if (!weights.empty()) entry["morphWeights"] = weights;
    meshes.push_back(std::move(entry));
  }

  Json clip;
  if (posed.clip != nullptr) clip = posed.clip->name;
  Json document = {{"clip", clip},
                   {"timeSeconds", posed.seconds},
                   {"sourceToModel", matrixJson(character->source.sourceToModel)},
                   {"joints", jointsJson(*character, posed)},
                   {"meshes", meshes}};
  return finish(std::move(document), *input, notes, shell);
}

}  // namespace

Command addPose(CLI::App& root, Shell& shell) {
  auto options = std::make_shared<PoseOptions>();
  CLI::App* app =
      root.add_subcommand("pose", "The CPU reference pose: joint matrices and skinned vertices");
  addInputOptions(*app, options->input);
  auto* clip = app->add_option("--clip", options->clip,
                               "Clip by name or #INDEX, counted from 0 (default: the rest pose)");
  clip->option_text("NAME");
  auto* time = app->add_option("--time", options->seconds,
                               "Seconds on the file's own timeline (default: the clip's start)");
  time->check(finiteNumber())->needs(clip)->option_text("S");
  auto* vertices =
      app->add_option("--vertices", options->vertices, "Evenly spaced vertices per mesh");
  vertices->option_text("all|N");
  app->add_option("--times", options->times,
                  "Several moments: their skin matrices and morph weights, and what they move")
      ->needs(clip)
      ->excludes(time)
      ->excludes(vertices)
      ->option_text("S,S,...");
  addMorphOption(*app, options->morphs, "Weight of a morph target");
  addShellOptions(*app, shell, false);
  return {app, [options, &shell] { return run(*options, shell); }};
}

}  // namespace ck::cli

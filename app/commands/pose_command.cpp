#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "app/commands/actor_options.h"
#include "app/commands/choices.h"
#include "app/commands/commands.h"
#include "app/commands/json.h"
#include "app/commands/numbers.h"
#include "app/commands/options.h"
#include "app/commands/shell.h"
#include "core/anim/clip_sampler.h"
#include "core/anim/pose.h"
#include "core/morph/morph_set.h"
#include "core/skinning/cpu_skinning.h"

namespace ck::cli {
namespace {

struct PoseOptions {
  ImportOptions import;
  std::string clip;  // empty: the rest pose
  std::optional<double> seconds;
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

int run(const PoseOptions& options, const Shell& shell) {
  const auto character = importFiles(options.import, shell.job());
  if (!character) return shell.fail(character.error());
  const auto morphs = morphWeights(options.morphs, *character);
  if (!morphs) return shell.fail(morphs.error());

  Posed posed;
  if (!options.clip.empty()) {
    const auto index = findClip(*character, options.clip);
    if (!index) return shell.fail(index.error());
    posed.clip = &character->clips[*index];
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
    entry["positions"] = vectorsJson(skinned.positions, *indices);
    entry["normals"] = vectorsJson(skinned.normals, *indices);
    if (!weights.empty()) entry["morphWeights"] = weights;
    meshes.push_back(std::move(entry));
  }

  Json clip;
  if (posed.clip != nullptr) clip = posed.clip->name;
  const Json document = {{"clip", clip},
                         {"timeSeconds", posed.seconds},
                         {"sourceToModel", matrixJson(character->source.sourceToModel)},
                         {"joints", jointsJson(*character, posed)},
                         {"meshes", meshes}};
  // The output of this command is numbers only. Without --json they are broken into lines.
  return shell.finish(documentText(document, -1), shell.json ? "" : documentText(document) + "\n");
}

}  // namespace

Command addPose(CLI::App& root, Shell& shell) {
  auto options = std::make_shared<PoseOptions>();
  CLI::App* app =
      root.add_subcommand("pose", "The CPU reference pose: joint matrices and skinned vertices");
  addImportOptions(*app, options->import);
  auto* clip = app->add_option("--clip", options->clip,
                               "Clip by name or #INDEX, counted from 0 (default: the rest pose)");
  clip->option_text("NAME");
  app->add_option("--time", options->seconds,
                  "Seconds on the file's own timeline (default: the clip's start)")
      ->check(finiteNumber())
      ->needs(clip)
      ->option_text("S");
  app->add_option("--vertices", options->vertices, "Evenly spaced vertices per mesh")
      ->option_text("all|N");
  addMorphOption(*app, options->morphs, "Weight of a morph target");
  addShellOptions(*app, shell, false);
  return {app, [options, &shell] { return run(*options, shell); }};
}

}  // namespace ck::cli

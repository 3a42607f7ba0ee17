#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "app/commands/character_result.h"
#include "app/commands/commands.h"
#include "app/commands/fit_report.h"
#include "app/options/json.h"
#include "app/options/project_input.h"
#include "app/options/shell.h"
#include "core/anim/pose.h"
#include "core/bake/seam.h"
#include "core/project/characters.h"
#include "core/project/clip_doctor.h"
#include "core/project/crowds.h"
#include "core/project/project_json.h"
#include "core/stage/pipeline.h"
#include "core/system/files.h"

namespace ck::cli {
namespace {

// "step at 0.25 s, step at 0.75 s"
std::string eventsText(const std::vector<ClipEvent>& events) {
  std::string text;
  for (const ClipEvent& event : events) {
    text += fmt::format("{}{} at {:.3f} s", text.empty() ? "" : ", ", event.name, event.seconds);
  }
  return text;
}

// A clip with its measurements.
struct ClipFacts {
  std::size_t keys = 0;
  std::optional<double> keyRateHz;  // nothing if the keys are not uniform
  SeamVerdict seam;
  std::vector<ClipFinding> findings;  // of the clip doctor
  bool isPose() const { return keys == 1; }
};

// `seams` is empty for a rig without a skin.
ClipFacts factsOf(const Clip& clip, const std::optional<SeamMeasure>& seams) {
  ClipFacts facts;
  facts.keys = keyTimes(clip).size();
  if (const auto grid = keyGrid(clip)) facts.keyRateHz = 1.0 / grid->stepSeconds;
  if (seams) facts.seam = measureSeam(*seams, clip, keyTimes(clip), nullptr);
  return facts;
}

Json meshJson(const Character& character, const Mesh& mesh) {
  Json material;
  if (mesh.material >= 0) material = character.materials[std::size_t(mesh.material)].name;
  return {{"name", mesh.name},
          {"vertices", mesh.positions.size()},
          {"triangles", mesh.indices.size() / 3},
          {"influencesMax", maxInfluences(mesh)},
          {"morphTargets", jsonList(mesh.morphTargets, &MorphTarget::name)},
          {"uvSets", (mesh.uvs.empty() ? 0 : 1) + (mesh.secondUvs.empty() ? 0 : 1)},
          {"vertexColors", !mesh.colors.empty()},
          {"material", material}};
}

Json findingsJson(const std::vector<ClipFinding>& findings) {
  return jsonList(findings, [](const ClipFinding& finding) -> Json {
    return {{"code", findingInfo(finding.kind).code},
            {"level", findingLevelName(finding.level)},
            {"message", finding.message},
            {"fix", finding.fix}};
  });
}

std::string findingsText(const std::vector<ClipFinding>& findings, std::string_view indent) {
  std::string text;
  for (const ClipFinding& finding : findings) {
    text += fmt::format("{}{} [{}]\n", indent, finding.message, findingInfo(finding.kind).code);
  }
  return text;
}

std::string_view alphaName(AlphaMode mode) {
  return mode == AlphaMode::Opaque ? "opaque" : mode == AlphaMode::Mask ? "mask" : "blend";
}

std::string_view wrapName(Wrap wrap) {
  return wrap == Wrap::Repeat ? "repeat" : wrap == Wrap::Mirror ? "mirror" : "clamp";
}

// null without an image.
Json mapJson(const Character& character, const SurfaceMap& map) {
  if (!map) return nullptr;
  const Image& image = character.images[std::size_t(map.image)];
  return {{"image", image.name},
          {"width", image.width},
          {"height", image.height},
          {"uvSet", map.uvSet},
          {"wrap", {wrapName(map.wrapU), wrapName(map.wrapV)}},
          {"offset", {map.offset.x, map.offset.y}},
          {"rotation", map.rotation},
          {"scale", {map.scale.x, map.scale.y}}};
}

Json materialJson(const Character& character, const Material& material) {
  const glm::vec4& color = material.baseColor;
  const glm::vec3& light = material.emission;
  return {{"name", material.name},
          {"baseColor", {color.x, color.y, color.z, color.w}},
          {"base", mapJson(character, material.base)},
          {"normal", mapJson(character, material.normal)},
          {"alpha", alphaName(material.alpha)},
          {"alphaCutoff", material.alphaCutoff},
          {"metallic", material.metallic},
          {"roughness", material.roughness},
          {"metalRoughness", mapJson(character, material.metalRoughness)},
          {"emission", {light.x, light.y, light.z}},
          {"emissive", mapJson(character, material.emissive)},
          {"unlit", material.unlit},
          {"doubleSided", material.doubleSided}};
}

// "base 512 x 512, normal 256 x 256, mask 0.5, metal 1, emission 2, unlit"
std::string materialText(const Character& character, const Material& material) {
  std::vector<std::string> parts;
  const auto addMap = [&](const char* name, const SurfaceMap& map) {
    if (!map) return;
    const Image& image = character.images[std::size_t(map.image)];
    const bool isPlain = map.offset == glm::vec2(0.0f) && map.scale == glm::vec2(1.0f) &&
                         map.rotation == 0.0f && map.wrapU == Wrap::Repeat &&
                         map.wrapV == Wrap::Repeat;
    parts.push_back(fmt::format("{} {} x {}{}{}", name, image.width, image.height,
                                map.uvSet == 1 ? " on the second coordinates" : "",
                                isPlain ? "" : " (placed)"));
  };
  addMap("base", material.base);
  addMap("normal", material.normal);
  addMap("metal and roughness", material.metalRoughness);
  addMap("emission", material.emissive);
  if (material.alpha == AlphaMode::Mask) {
    parts.push_back(fmt::format("cut at alpha {:.3g}", material.alphaCutoff));
  }
  if (material.alpha == AlphaMode::Blend) parts.emplace_back("blended by alpha");
  if (material.metallic > 0.0f) parts.push_back(fmt::format("metal {:.3g}", material.metallic));
  if (material.roughness < 1.0f) {
    parts.push_back(fmt::format("roughness {:.3g}", material.roughness));
  }
  const float light = std::max({material.emission.x, material.emission.y, material.emission.z});
  if (light > 0.0f) parts.push_back(fmt::format("shines by {:.3g}", light));
  if (material.unlit) parts.emplace_back("unlit");
  if (parts.empty()) parts.emplace_back("one colour");
  return fmt::format("{}", fmt::join(parts, ", "));
}

Json clipJson(const Clip& clip, const ClipFacts& facts) {
  Json events = jsonList(clip.events, [](const ClipEvent& event) -> Json {
    return {{"name", event.name}, {"seconds", event.seconds}};
  });
  Json rate;
  if (facts.keyRateHz) rate = *facts.keyRateHz;
  return {{"name", clip.name},
          {"nameInFile", clip.nameInFile.empty() ? clip.name : clip.nameInFile},
          {"startSeconds", clip.startSeconds},
          {"durationSeconds", clip.durationSeconds},
          {"keyRateHz", rate},
          {"keys", facts.keys},
          {"pose", facts.isPose()},
          {"seam", seamName(facts.seam.seam)},
          {"seamMm", facts.seam.seamMm},
          {"stepMm", facts.seam.stepMm},
          {"jointTracks", clip.jointTracks.size()},
          {"morphTracks", clip.morphTracks.size()},
          {"groundSpeedMetersPerSecond", clip.groundSpeedMetersPerSecond},
          {"events", std::move(events)},
          {"findings", findingsJson(facts.findings)}};
}

Json document(const Character& character, const std::vector<ClipFacts>& facts,
              const std::vector<ClipFinding>& findings) {
  const SourceInfo& source = character.source;
  Json joints = jsonList(character.rig.joints, [](const Joint& joint) -> Json {
    return {{"name", joint.name}, {"parent", joint.parent}};
  });
  Json meshes = jsonList(character.meshes,
                         [&character](const Mesh& mesh) { return meshJson(character, mesh); });
  Json materials = jsonList(character.materials, [&character](const Material& material) {
    return materialJson(character, material);
  });
  Json clips = Json::array();
  for (std::size_t i = 0; i < facts.size(); ++i) {
    clips.push_back(clipJson(character.clips[i], facts[i]));
  }
  const Bounds bounds = bindBounds(character);
  return {{"file", source.path},
          {"format", source.format},
          {"unitScale", source.unitScale},
          {"upAxis", source.upAxis},
          {"sourceToModel", matrixJson(source.sourceToModel)},
          {"heightMeters", bounds.high.y - bounds.low.y},
          {"joints", std::move(joints)},
          {"skinJoints", character.rig.skinJoints.size()},
          {"socketCandidates", character.socketCandidates},
          {"meshes", std::move(meshes)},
          {"materials", std::move(materials)},
          {"clips", std::move(clips)},
          {"findings", findingsJson(findings)},
          {"notes", notesJson(character.notes)}};
}

std::string text(const Character& character, const std::vector<ClipFacts>& facts,
                 const std::vector<ClipFinding>& findings) {
  const Bounds bounds = bindBounds(character);
  std::string lines =
      fmt::format("{}: {}, {} joints, {} m per unit, {:.4g} m tall\n", character.source.path,
                  character.source.format, character.rig.joints.size(), character.source.unitScale,
                  bounds.high.y - bounds.low.y);
  for (const Mesh& mesh : character.meshes) {
    lines +=
        fmt::format("  mesh {}: {} vertices, {} triangles, {} influences at most, {} morphs{}\n",
                    mesh.name, mesh.positions.size(), mesh.indices.size() / 3, maxInfluences(mesh),
                    mesh.morphTargets.size(), mesh.colors.empty() ? "" : ", vertex colours");
  }
  for (const Material& material : character.materials) {
    lines += fmt::format("  material {}: {}\n", material.name, materialText(character, material));
  }
  for (std::size_t i = 0; i < facts.size(); ++i) {
    const Clip& clip = character.clips[i];
    const std::string rate =
        facts[i].keyRateHz ? fmt::format("{:.4g} Hz", *facts[i].keyRateHz) : "uneven keys";
    lines += facts[i].isPose()
                 ? fmt::format("  clip {}: a pose (1 key)\n", clip.name)
                 : fmt::format("  clip {}: {:.3f} s, {} keys, {}, seam {} ({:.2f} mm)\n", clip.name,
                               clip.durationSeconds, facts[i].keys, rate,
                               seamName(facts[i].seam.seam), facts[i].seam.seamMm);
    if (!clip.events.empty()) lines += fmt::format("    events: {}\n", eventsText(clip.events));
    lines += findingsText(facts[i].findings, "    ");
  }
  if (!character.socketCandidates.empty()) {
    lines += fmt::format("  nodes without weights, for --socket: {}\n",
                         fmt::join(character.socketCandidates, ", "));
  }
  return lines + findingsText(findings, "  ");
}

std::vector<std::size_t> actorsByCharacter(const Project& project) {
  std::vector<std::size_t> counts(static_cast<std::size_t>(characterCount(project)), 0);
  for (std::size_t i = 0; i < project.actors.size(); ++i) {
    ++counts[static_cast<std::size_t>(project.actors[i].character)];
  }
  return counts;
}

// Empty for a variant of the first character.
std::string sourceOf(const Project& project, int character) {
  const std::vector<SourceFile>& sources = baseCharacter(project, character).sources;
  const bool variant = project.characters[static_cast<std::size_t>(character)].variantOf == 0;
  return variant || sources.empty() ? std::string() : sources.front().path;
}

Json projectDocument(const std::string& file, const Project& project) {
  Json characters = Json::array();
  const auto counts = actorsByCharacter(project);
  for (int c = 0; c < characterCount(project); ++c) {
    const auto& clips = clipsOf(project, c);
    Json member = {{"title", characterTitle(project, c)},
                   {"source", sourceOf(project, c)},
                   {"variant", c > 0 && shareRig(project, c, 0)},
                   {"actors", counts[static_cast<std::size_t>(c)]},
                   {"clips", jsonList(clips, titleOf)},
                   {"hiddenMeshes", project.characters[static_cast<std::size_t>(c)].hiddenMeshes}};
    Json events = Json::array();
    for (const ProjectClip& clip : clips) {
      for (const ClipEvent& event : clip.events) {
        events.push_back(
            {{"clip", titleOf(clip)}, {"name", event.name}, {"seconds", event.seconds}});
      }
    }
    // The clips of a member that is a project are in that project's file.
    if (c == 0 || !isProjectPath(sourceOf(project, c))) member["events"] = std::move(events);
    characters.push_back(std::move(member));
  }
  const std::vector<int> sizes = crowdSizes(project);
  Json crowds = Json::array();
  for (const ProjectCrowd& crowd : project.crowds) {
    crowds.push_back({{"name", crowd.name},
                      {"on", crowd.on},
                      {"formation", formationName(crowd.spawn.formation)},
                      {"seed", crowd.spawn.seed},
                      {"actors", sizes[crowds.size()]}});
  }
  const ProjectCharacter& first = project.characters.front();
  return {{"file", file},
          {"sources", jsonList(first.sources, &SourceFile::path)},
          {"method", methodName(project.view.pose.method)},
          {"encoding", first.bake.encoding ? encodingInfo(first.bake).name : "auto"},
          {"actors", project.actors.size()},
          {"crowds", std::move(crowds)},
          {"cast", std::move(characters)}};
}

std::string projectText(const std::string& file, const Project& project) {
  const auto counts = actorsByCharacter(project);
  std::string lines = fmt::format("{}: {} actors of {} characters\n", file, project.actors.size(),
                                  characterCount(project));
  for (int c = 0; c < characterCount(project); ++c) {
    const bool variant = c > 0 && shareRig(project, c, 0);
    const std::string from = variant ? "a variant of the project's rig" : sourceOf(project, c);
    lines += fmt::format("  character {}: {}, {} clips, {} actors", characterTitle(project, c),
                         from.empty() ? "no rig yet" : from, clipsOf(project, c).size(),
                         counts[static_cast<std::size_t>(c)]);
    const auto& hidden = project.characters[static_cast<std::size_t>(c)].hiddenMeshes;
    if (!hidden.empty()) lines += fmt::format(", {} meshes hidden", hidden.size());
    lines += "\n";
    for (const ProjectClip& clip : clipsOf(project, c)) {
      if (clip.events.empty()) continue;
      lines += fmt::format("    events of {}: {}\n", titleOf(clip), eventsText(clip.events));
    }
  }
  if (project.crowds.size() > 1) {
    const std::vector<int> sizes = crowdSizes(project);
    for (std::size_t c = 0; c < sizes.size(); ++c) {
      const ProjectCrowd& crowd = project.crowds[c];
      lines += fmt::format("  crowd {}: {}, {} actors{}\n", crowd.name,
                           formationName(crowd.spawn.formation), sizes[c], crowd.on ? "" : ", off");
    }
  }
  return lines;
}

int runProject(const ImportOptions& options, const Shell& shell) {
  if (options.files.size() > 1) {
    return shell.fail(fmt::format("{} names its own files", options.files.front()));
  }
  const auto project = readProjectFile(pathFromText(options.files.front()));
  if (!project) return shell.fail(project.error());
  return shell.finish(projectDocument(options.files.front(), *project),
                      projectText(options.files.front(), *project));
}

// A project, or the backup of one.
bool isProject(std::string_view file) {
  constexpr std::string_view kBackup = ".bak";
  if (file.ends_with(kBackup)) file.remove_suffix(kBackup.size());
  return isProjectPath(file);
}

// Describes the sets of a folder, whether its sources are there or not.
int runFolder(const ProjectInput& input, const Shell& shell) {
  Json sets = Json::array();
  std::string lines;
  for (const FolderSet& set : input.sets) {
    CharacterResult result;
    result.name = set.name;
    result.cast.atlas = std::make_shared<const Atlas>(set.images.front().atlas);
    Json json = resultJson(result);
    json.erase("notes");
    json["files"] = jsonList(
        set.images, [&set](const FoundAtlas& image) { return fileNameOf(set.name, image.kind); });
    json["source"] = set.images.front().atlas.sourcePath;
    json["sourceIsThere"] = set.source.has_value();
    sets.push_back(std::move(json));
    lines +=
        resultText(result) + fmt::format("  baked from {}{}\n", set.images.front().atlas.sourcePath,
                                         set.source ? "" : ", which is not there");
  }
  const Json document = {
      {"file", pathText(input.path)}, {"sets", std::move(sets)}, {"notes", notesJson(input.notes)}};
  shell.remark(input.notes);
  return shell.finish(document, lines);
}

int runRig(const ProjectInput& input, const Shell& shell, const JobContext& job) {
  if (auto ok = checkSources(input); !ok) return shell.fail(ok.error());
  const ProjectCharacter& wanted = input.project.characters.front();
  FitReports fits;
  const auto source = readCharacterSource(wanted, job, &fits);
  if (!source) return shell.fail(source.error());
  const CharacterPtr character = source->character;
  std::optional<SeamMeasure> seams;
  if (!character->rig.skinJoints.empty()) seams.emplace(*character, wanted.bake.seamMm);
  std::vector<ClipFacts> facts;
  for (const Clip& clip : character->clips) {
    if (job.stopRequested()) return shell.fail(Error{ErrorCode::Cancelled, "interrupted"});
    facts.push_back(factsOf(clip, seams));
  }
  std::vector<ClipFinding> findings;  // about the character
  const ProjectCharacter settings = settingsFor(wanted, *source);
  for (ClipFinding& finding : examineClips(*character, settings, job)) {
    std::optional<std::size_t> clip;
    if (finding.clip >= 0) {
      clip = clipNamed(*character, settings.clips[std::size_t(finding.clip)].name);
    }
    (clip ? facts[*clip].findings : findings).push_back(std::move(finding));
  }
  if (job.stopRequested()) return shell.fail(Error{ErrorCode::Cancelled, "interrupted"});
  shell.remark(character->notes);
  Json described = document(*character, facts, findings);
  described["fits"] = fitsJson(fits.files, fits.rig);
  described["overridden"] = input.overridden;
  return shell.finish(described, text(*character, facts, findings) + fitsText(fits.files));
}

int run(const InputOptions& options, const Shell& shell) {
  const bool isNamed = !options.character.empty();
  const std::vector<std::string> edits = givenEdits(options.import.app);
  const bool ofAll = isProject(options.import.files.front()) && !isNamed;
  if (ofAll && !edits.empty()) {
    return shell.fail(fmt::format(
        "--{} is about one character of a project; name it by --character", edits.front()));
  }
  if (ofAll) return runProject(options.import, shell);
  const JobContext job = shell.job();
  const auto input = projectFrom(options, job);
  if (!input) return shell.fail(input.error());
  if (input->kind != InputKind::Folder || isNamed || !edits.empty()) {
    return runRig(*input, shell, job);
  }
  return runFolder(*input, shell);
}

}  // namespace

Command addInfo(CLI::App& root, Shell& shell) {
  auto options = std::make_shared<InputOptions>();
  CLI::App* app = root.add_subcommand(
      "info",
      "What is in a rig: joints, meshes, clips, notes; in a project: its cast; in a folder: its "
      "atlases");
  addInputOptions(*app, *options);
  addShellOptions(*app, shell, false);
  return {app, [options, &shell] { return run(*options, shell); }};
}

}  // namespace ck::cli

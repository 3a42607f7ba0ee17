#include "app/commands/render_document.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/commands/error_report.h"
#include "core/system/files.h"
#include "core/view/drawn_as.h"
#include "render/scene/welded_character.h"
#include "render/view/error_scale.h"

namespace ck::cli {
namespace {

// The events that were stored, with their names.
Json eventsJson(const Scene& scene, const PassedEvents& events) {
  return jsonList(events.first, [&scene](const PassedEvents::One& one) -> Json {
    const CrowdClip& clip =
        scene.characters[one.character].clips[static_cast<std::size_t>(one.fired.clip)];
    // An event at the start of backward time is at -0.
    return {{"seconds", one.fired.seconds + 0.0},
            {"actor", one.actor},
            {"clip", clip.name},
            {"name", clip.events[static_cast<std::size_t>(one.fired.event)].name},
            {"weight", one.fired.weight}};
  });
}

// The number of actors per character.
Json charactersJson(const Scene& scene) {
  const std::vector<Actor> actors = scene.project.actors.toVector();
  Json list = Json::array();
  for (const SceneCharacter& one : scene.characters) {
    const auto number = static_cast<int>(list.size());
    const auto count = std::ranges::count_if(
        actors, [number](const Actor& actor) { return actor.on && actor.character == number; });
    list.push_back({{"title", one.title}, {"actors", count}});
  }
  return list;
}

// The reading that the image shows, by the words of --reading.
const char* readingName(const Scene& scene, const DrawnImage& image) {
  return drawnReading(drawnView(scene, image)) == Reading::Direct ? "direct" : "palette";
}

// The error of each character's bake.
Json errorsJson(const Scene& scene, const DrawnImage& image, const std::vector<BakeError>& errors) {
  Json list = Json::array();
  for (const BakeError& error : errors) {
    Json one = {{"title", scene.characters[list.size()].title},
                {"reading", readingName(scene, image)}};
    one.update(errorJson(error));
    list.push_back(std::move(one));
  }
  return list;
}

std::string counted(std::size_t count, std::string_view one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

Json errorViewJson(const ShownErrors& errors, const RenderOptions& options, const Scene& scene) {
  Json json = {{"scaleMm", errors.scaleMm}, {"automatic", scene.project.view.errorScaleMm == 0.0},
               {"maxMm", errors.maxMm},     {"clip", errors.clip},
               {"mesh", errors.mesh},       {"vertex", errors.vertex}};
  if (options.sheetColumns == 0) json["actor"] = errors.actor;
  return json;
}

}  // namespace

Json detailJson(const render::DetailStats& detail) {
  Json meshes = Json::array();
  for (const render::DetailStats::Mesh& mesh : detail.meshes) {
    meshes.push_back({{"actors", mesh.actors}, {"triangles", mesh.triangles}});
  }
  Json refusals = Json::array();
  for (const render::DetailStats::Refusal& one : detail.refusals) {
    const bool isMesh = one.kind == render::DetailStats::Way::Kind::Mesh;
    Json refusal = {{"character", one.character}, {"what", isMesh ? "mesh" : "pictures"}};
    if (isMesh) refusal["level"] = one.level;
    if (one.actors > 0) refusal["actors"] = one.actors;
    if (one.bytes > 0) refusal["bytes"] = one.bytes;
    refusals.push_back(std::move(refusal));
  }
  return {{"pixels", detail.pixels},          {"inView", detail.inView},
          {"meshes", std::move(meshes)},      {"pictures", detail.pictures},
          {"points", detail.points},          {"refused", std::move(refusals)},
          {"overBudget", detail.isOverBudget}};
}

Json renderDocument(const RenderOptions& options, const Scene& scene, const DrawnImage& image,
                    const std::vector<BakeError>& errors, std::span<const std::byte> bytes) {
  const bool sheet = options.sheetColumns > 0;
  const render::FrameStats& stats = image.stats;
  const PoseSettings& pose = image.settings.view.pose;
  const MethodInfo& method = methodInfo(pose.method);
  const bool source = pose.viewMode == ViewMode::Source;
  const CharacterStage& first = *scene.characters.front().stage;
  Json json = {{"file", options.output},
               {"size", {image.frame.width, image.frame.height}},
               {"bytes", bytes.size()},
               {"xxh3", hashText(hashBytes(bytes))},
               {"view", viewModeName(scene.project.view.pose.viewMode)},
               // The method that skins the visible vertices.
               {"method", methodName(source ? Method::Cpu : pose.method)},
               {"actors", sheet ? 1 : stats.actors},
               {"renderer", image.facts.renderer},
               {"gl", image.facts.version},
               {"draws", stats.drawCalls},
               {"fetchesPerVertex", stats.fetchesPerVertex},
               {"paletteRead", stats.paletteRead ? paletteReadName(*stats.paletteRead) : "none"},
               {"skinnedOn", stats.skinnedOnCpu ? "cpu" : "gpu"},
               {"skinningBytes", stats.skinningBytes},
               {"facesShown", stats.morphs.nearActors},
               {"verticesPerActor", stats.verticesPerActor},
               {"trianglesPerActor", stats.trianglesPerActor},
               {"atlasBytes", stats.atlasBytes},
               {"updateMs", stats.updateMs},
               {"drawMs", stats.drawMs}};
  if (!source && !method.posesClips && method.obeys.sampling) {
    json["sampling"] = samplingName(pose.sampling);
  }
  if (sheet) {
    json["rows"] = clipNamesOf(*first.atlas);
    json["columns"] = options.sheetColumns;
  } else {
    json["timeSeconds"] = options.seconds + 0.0;
    json["posedAtSeconds"] = image.posedAtSeconds + 0.0;
    if (method.obeys.updateEvery) json["updateEvery"] = pose.updateEvery;
    json["drawnBefore"] = image.drawnBefore;
    json["coveredPixels"] = image.coveredPixels;
    if (pose.packedInfluences && method.obeys.packedInfluences) {
      const render::WeldedCharacter welded = render::weldCharacter(*first.source.character);
      json["packedWeightError"] = render::packInfluences(welded.vertices).worstWeightError;
    }
    if (stats.detail) json["detail"] = detailJson(*stats.detail);
    json["props"] = stats.props;
    json["fadingActors"] = image.fading;
    json["eventsPassed"] = image.events.count;
    if (options.events) json["events"] = eventsJson(scene, image.events);
    if (scene.characters.size() > 1) json["cast"] = charactersJson(scene);
  }
  if (options.errors) json["errors"] = errorsJson(scene, image, errors);
  if (image.errors) json["errorView"] = errorViewJson(*image.errors, options, scene);
  json["overridden"] = overriddenBy(options.scene.input);
  json["notes"] = notesJson(image.notes);
  return json;
}

std::string renderText(const RenderOptions& options, const Scene& scene, const DrawnImage& image,
                       const std::vector<BakeError>& errors) {
  const render::FrameStats& stats = image.stats;
  std::string text =
      fmt::format("{}: {} x {}, {} in {}, {:.1f} ms ({})\n", options.output, image.frame.width,
                  image.frame.height, counted(stats.actors, "actor"),
                  counted(static_cast<std::size_t>(stats.drawCalls), "draw call"),
                  stats.updateMs + stats.drawMs, image.facts.renderer);
  for (std::size_t c = 0; c < errors.size(); ++c) {
    const bool isDirect = drawnReading(drawnView(scene, image)) == Reading::Direct;
    text += fmt::format("  {}, drawn {}:\n{}", scene.characters[c].title,
                        isDirect ? "joint by joint" : "through a palette", errorLines(errors[c]));
  }
  if (stats.detail) {
    std::vector<std::string> names;
    for (const SceneCharacter& one : scene.characters) names.push_back(one.title);
    const std::string refused =
        render::refusalText(*stats.detail, scene.project.view.detail, names);
    if (!refused.empty()) text += fmt::format("  {}\n", refused);
  }
  if (image.errors) {
    text +=
        fmt::format("  colours up to {}; at most {:.4g} mm from the source: {}, vertex {} of {}\n",
                    render::errorScaleText(image.errors->scaleMm), image.errors->maxMm,
                    image.errors->clip, image.errors->vertex, image.errors->mesh);
  }
  return text;
}

ViewSettings drawnView(const Scene& scene, const DrawnImage& image) {
  ViewSettings view = scene.project.view;
  if (image.settings.view.pose.viewMode != ViewMode::Source) view.pose = image.settings.view.pose;
  return view;
}

}  // namespace ck::cli

#include "app/commands/character_result.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/commands/error_report.h"
#include "app/options/export_options.h"

namespace ck::cli {
namespace {

int fetches(const Atlas& atlas, bool interpolated) {
  return fetchesOf(codeOf(atlas), atlas.recipe.influences, interpolated);
}

Json clipsJson(const Atlas& atlas) {
  return jsonList(atlas.clips, [&atlas](const AtlasClip& clip) -> Json {
    return {{"name", clip.name},
            {"firstRow", gpu::ck_atlasTexel(atlas.shape, clip.firstFrame, 0, 0).y},
            {"firstFrame", clip.firstFrame},
            {"frames", clip.frameCount},
            {"stepFrames", clip.stepFrames.size()},
            {"moments", momentCount(clip)},
            {"startSeconds", clip.startSeconds},
            {"durationSeconds", clip.durationSeconds},
            {"loop", loopModeName(clip.loop)},
            {"seam", seamName(clip.seam)}};
  });
}

Json atlasJson(const Atlas& atlas) {
  Json json = {{"width", atlasWidth(atlas)},
               {"height", atlasHeight(atlas)},
               {"format", texelFormatName(texelFormatOf(atlas))},
               {"bytes", atlas.texels.size()},
               {"texelsPerJoint", texelsPerJoint(codeOf(atlas))}};
  addRecipe(json, atlas.recipe);
  json["joints"] = atlas.joints.size();
  json["unitScale"] = atlas.unitScale;
  return json;
}

// The stored components, and the loss of each choice.
Json componentsJson(const Atlas& atlas, const ChosenComponents& chosen) {
  Json losses = Json::object();
  if (chosen.loss) {
    for (const Components each : {Components::Trs, Components::Tr, Components::R}) {
      if (!isPossible({encodingOf(atlas.recipe), each})) continue;
      losses[std::string(componentsName(each))] = lossMm(*chosen.loss, each);
    }
  }
  return {{"chosen", componentsName(chosen.components)}, {"lossMm", std::move(losses)}};
}

}  // namespace

std::vector<LimitCheck> limitChecks(const FitLimits& limits, const CharacterResult& result) {
  const bool isDirect = result.cast.settings.bake.reading == Reading::Direct;
  const ErrorFigures& figures = isDirect ? result.cast.error->direct : result.cast.error->palette;
  const LimitCheck asked[] = {{"max-error", limits.error.vertexMm, figures.vertices.max},
                              {"max-shell", limits.error.shellMm, figures.shell.max},
                              {"max-pixels", limits.error.pixels, figures.screen.max},
                              {"max-bytes", static_cast<double>(limits.bytes),
                               static_cast<double>(result.cast.atlas->texels.size())}};
  std::vector<LimitCheck> checks;
  for (const LimitCheck& check : asked) {
    if (check.limit > 0.0) checks.push_back(check);
  }
  return checks;
}

void addLimits(Json& document, const std::vector<LimitCheck>& limits) {
  for (const LimitCheck& check : limits) {
    document["limits"].push_back({{"name", check.name},
                                  {"limit", check.limit},
                                  {"value", check.value},
                                  {"met", check.met()}});
  }
}

std::string limitLines(const std::vector<LimitCheck>& limits) {
  std::string text;
  for (const LimitCheck& check : limits) {
    text += fmt::format("  --{} {}: {} ({})\n", check.name, check.limit, check.value,
                        check.met() ? "met" : "not met");
  }
  return text;
}

bool allMet(const std::vector<CharacterResult>& cast) {
  return std::ranges::all_of(cast, [](const CharacterResult& one) {
    return std::ranges::all_of(one.limits, &LimitCheck::met) &&
           std::ranges::all_of(one.sets, &SetCheck::same);
  });
}

Json resultJson(const CharacterResult& result) {
  const Atlas& atlas = *result.cast.atlas;
  Json json = {{"name", result.name},
               {"atlas", atlasJson(atlas)},
               {"clips", clipsJson(atlas)},
               {"fetchesPerVertex",
                {{"nearest", fetches(atlas, false)}, {"interpolated", fetches(atlas, true)}}}};
  if (result.cast.error) json.update(errorJson(*result.cast.error));
  if (result.components) json["components"] = componentsJson(atlas, *result.components);
  addWritten(json, result.written);
  for (const SetCheck& set : result.sets) {
    json["sets"].push_back(
        {{"name", set.name}, {"kind", exportFormat(set.kind).name}, {"same", set.same}});
  }
  addLimits(json, result.limits);
  json["notes"] = notesJson(result.notes);
  return json;
}

std::string resultText(const CharacterResult& result) {
  const Atlas& atlas = *result.cast.atlas;
  std::string text = fmt::format(
      "{}: {} x {} {}, {:.1f} KB, {} joints, {} clips\n", result.name, atlasWidth(atlas),
      atlasHeight(atlas), texelFormatName(encodingInfo(atlas.recipe).format),
      static_cast<double>(atlas.texels.size()) / 1024.0, atlas.joints.size(), atlas.clips.size());
  for (const AtlasClip& clip : atlas.clips) {
    const std::string steps = clip.stepFrames.empty()
                                  ? std::string()
                                  : fmt::format(" ({} of them for steps)", clip.stepFrames.size());
    const std::string kept = clip.keptMoments.empty()
                                 ? std::string()
                                 : fmt::format(" for {} moments", momentCount(clip));
    text += fmt::format("  clip {}: {} frames{}{}, {:.3f} s, {}\n", clip.name, clip.frameCount,
                        steps, kept, clip.durationSeconds, loopModeName(clip.loop));
  }
  if (result.cast.error) text += errorLines(*result.cast.error);
  for (const SetCheck& set : result.sets) {
    text += fmt::format("  {} as {}: {}\n", set.name, exportFormat(set.kind).name,
                        set.same ? "decodes the same" : "decodes to other poses");
  }
  return text + writtenLines(result.written) + limitLines(result.limits);
}

Notes notesOf(const std::vector<CharacterResult>& cast) {
  Notes notes;
  for (const CharacterResult& one : cast) {
    notes.insert(notes.end(), one.notes.begin(), one.notes.end());
  }
  return notes;
}

Json resultsJson(const std::vector<CharacterResult>& cast,
                 const std::vector<std::string>& overridden) {
  Json json = resultJson(cast.front());
  for (std::size_t i = 1; i < cast.size(); ++i) json["others"].push_back(resultJson(cast[i]));
  if (cast.size() > 1) {
    for (const CharacterResult& one : cast) json["characters"].push_back(resultJson(one));
  }
  json["overridden"] = overridden;
  return json;
}

std::string resultsText(const std::vector<CharacterResult>& cast) {
  std::string text;
  for (const CharacterResult& one : cast) text += resultText(one);
  return text;
}

}  // namespace ck::cli

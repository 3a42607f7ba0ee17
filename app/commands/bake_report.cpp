#include "app/commands/bake_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/commands/error_report.h"
#include "app/commands/export_options.h"

namespace ck::cli {
namespace {

int fetches(const Atlas& atlas, bool interpolated) {
  return fetchesOf(codeOf(atlas), atlas.influences, interpolated);
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
               {"format", texelFormatName(encodingInfo(atlas.encoding).format)},
               {"bytes", atlas.texels.size()},
               {"texelsPerJoint", texelsPerJoint(codeOf(atlas))},
               {"layout", layoutKindName(atlas.layout)},
               {"encoding", encodingInfo(atlas.encoding).name},
               {"components", componentsName(atlas.components)},
               {"range", rangeModeName(atlas.rangeMode)},
               {"joints", atlas.joints.size()},
               {"influences", atlas.influences},
               {"interpolate", atlas.interpolate},
               {"unitScale", atlas.unitScale}};
  if (atlas.reduceMm > 0.0) json["reduceMm"] = atlas.reduceMm;
  return json;
}

// The stored components, and the loss of each choice.
Json componentsJson(const Atlas& atlas, const ChosenComponents& chosen) {
  Json losses = Json::object();
  if (chosen.loss) {
    for (const Components each : {Components::Trs, Components::Tr, Components::R}) {
      if (!isPossible({atlas.encoding, each})) continue;
      losses[std::string(componentsName(each))] = lossMm(*chosen.loss, each);
    }
  }
  return {{"chosen", componentsName(chosen.components)}, {"lossMm", std::move(losses)}};
}

Json oneReport(const BakeReport& report) {
  const Atlas& atlas = *report.atlas;
  Json json = {{"name", report.name},
               {"atlas", atlasJson(atlas)},
               {"clips", clipsJson(atlas)},
               {"fetchesPerVertex",
                {{"nearest", fetches(atlas, false)}, {"interpolated", fetches(atlas, true)}}}};
  json.update(errorJson(report.error));
  if (report.components) json["components"] = componentsJson(atlas, *report.components);
  addWritten(json, report.written);
  for (const SetCheck& set : report.sets) {
    json["sets"].push_back(
        {{"name", set.name}, {"kind", exportFormat(set.kind).name}, {"same", set.same}});
  }
  for (const LimitCheck& check : report.limits) {
    json["limits"].push_back({{"name", check.name},
                              {"limit", check.limit},
                              {"value", check.value},
                              {"met", check.met()}});
  }
  json["notes"] = notesJson(report.notes);
  return json;
}

}  // namespace

std::vector<LimitCheck> limitChecks(const Limits& limits, Reading reading,
                                    const BakeReport& report) {
  const ErrorFigures& figures =
      reading == Reading::Direct ? report.error.direct : report.error.palette;
  const LimitCheck asked[] = {{"max-error", limits.error.vertexMm, figures.vertices.max},
                              {"max-shell", limits.error.shellMm, figures.shell.max},
                              {"max-pixels", limits.error.pixels, figures.screen.max},
                              {"max-bytes", static_cast<double>(limits.bytes),
                               static_cast<double>(report.atlas->texels.size())}};
  std::vector<LimitCheck> checks;
  for (const LimitCheck& check : asked) {
    if (check.limit > 0.0) checks.push_back(check);
  }
  return checks;
}

bool allMet(const BakeReport& report) {
  return std::ranges::all_of(report.limits, &LimitCheck::met) &&
         std::ranges::all_of(report.sets, &SetCheck::same);
}

Json reportJson(const std::vector<BakeReport>& reports) {
  Json json = oneReport(reports.front());
  for (std::size_t i = 1; i < reports.size(); ++i) json["others"].push_back(oneReport(reports[i]));
  return json;
}

std::string reportText(const BakeReport& report) {
  const Atlas& atlas = *report.atlas;
  std::string text = fmt::format(
      "{}: {} x {} {}, {:.1f} KB, {} joints, {} clips\n", report.name, atlasWidth(atlas),
      atlasHeight(atlas), texelFormatName(encodingInfo(atlas.encoding).format),
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
  text += errorLines(report.error);
  for (const SetCheck& set : report.sets) {
    text += fmt::format("  {} as {}: {}\n", set.name, exportFormat(set.kind).name,
                        set.same ? "decodes the same" : "decodes to other poses");
  }
  text += writtenLines(report.written);
  for (const LimitCheck& check : report.limits) {
    text += fmt::format("  --{} {}: {} ({})\n", check.name, check.limit, check.value,
                        check.met() ? "met" : "not met");
  }
  return text;
}

}  // namespace ck::cli

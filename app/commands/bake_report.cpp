#include "app/commands/bake_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace ck::cli {
namespace {

using Json = nlohmann::ordered_json;

int fetches(const Atlas& atlas, bool interpolated) {
  return texelsPerJoint(codeOf(atlas)) * atlas.influences * (interpolated ? 2 : 1);
}

Json figuresJson(const ErrorFigures& figures) {
  return {{"maxMm", figures.maxMm},
          {"p99Mm", figures.p99Mm},
          {"rmsMm", figures.rmsMm},
          {"maxDegrees", figures.maxDegrees},
          {"vertexMaxMm", figures.vertexMaxMm},
          {"worst",
           {{"clip", figures.worstClip},
            {"joint", figures.worstJoint},
            {"timeSeconds", figures.worstTimeSeconds}}}};
}

Json clipsJson(const Atlas& atlas) {
  Json clips = Json::array();
  for (const AtlasClip& clip : atlas.clips) {
    clips.push_back({{"name", clip.name},
                     {"firstRow", gpu::ck_atlasTexel(atlas.shape, clip.firstFrame, 0, 0).y},
                     {"firstFrame", clip.firstFrame},
                     {"frames", clip.frameCount},
                     {"startSeconds", clip.startSeconds},
                     {"durationSeconds", clip.durationSeconds},
                     {"loop", loopModeName(clip.loop)},
                     {"seam", seamName(clip.seam)}});
  }
  return clips;
}

std::string figuresText(const char* name, const ErrorFigures& figures) {
  return fmt::format(
      "  {}: {:.3f} mm at most, p99 {:.3f}, rms {:.3f}, {:.3f} degrees; "
      "worst in {} at {} ({:.3f} s)\n",
      name, figures.maxMm, figures.p99Mm, figures.rmsMm, figures.maxDegrees, figures.worstClip,
      figures.worstJoint, figures.worstTimeSeconds);
}

Json atlasJson(const Atlas& atlas) {
  return {{"width", atlasWidth(atlas)},
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
                {{"nearest", fetches(atlas, false)}, {"interpolated", fetches(atlas, true)}}},
               {"error", figuresJson(report.error.palette)},
               {"errorDirect", figuresJson(report.error.direct)}};
  if (report.components) json["components"] = componentsJson(atlas, *report.components);
  json["files"] = Json::array();
  for (const ExportedFile& file : report.files) {
    json["files"].push_back({{"name", file.name}, {"bytes", file.bytes}, {"xxh3", file.xxh3}});
  }
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
  json["notes"] = Json::array();
  for (const Note& note : report.notes) {
    json["notes"].push_back(
        {{"level", noteLevelName(note.level)}, {"code", note.code}, {"message", note.message}});
  }
  return json;
}

}  // namespace

bool allMet(const BakeReport& report) {
  return std::all_of(report.limits.begin(), report.limits.end(),
                     [](const LimitCheck& check) { return check.met(); }) &&
         std::all_of(report.sets.begin(), report.sets.end(),
                     [](const SetCheck& set) { return set.same; });
}

std::string reportJson(const std::vector<BakeReport>& reports) {
  Json json = oneReport(reports.front());
  for (std::size_t i = 1; i < reports.size(); ++i) json["others"].push_back(oneReport(reports[i]));
  return json.dump(1, ' ', false, Json::error_handler_t::replace);
}

std::string reportText(const BakeReport& report) {
  const Atlas& atlas = *report.atlas;
  std::string text = fmt::format(
      "{}: {} x {} {}, {:.1f} KB, {} joints, {} clips\n", report.name, atlasWidth(atlas),
      atlasHeight(atlas), texelFormatName(encodingInfo(atlas.encoding).format),
      static_cast<double>(atlas.texels.size()) / 1024.0, atlas.joints.size(), atlas.clips.size());
  for (const AtlasClip& clip : atlas.clips) {
    text += fmt::format("  clip {}: {} frames, {:.3f} s, {}\n", clip.name, clip.frameCount,
                        clip.durationSeconds, loopModeName(clip.loop));
  }
  text += figuresText("error", report.error.palette);
  text += figuresText("error, read directly", report.error.direct);
  for (const SetCheck& set : report.sets) {
    text += fmt::format("  {} as {}: {}\n", set.name, exportFormat(set.kind).name,
                        set.same ? "decodes the same" : "decodes to other poses");
  }
  for (const ExportedFile& file : report.files) {
    text += fmt::format("  {}  {} bytes  {}\n", file.xxh3, file.bytes, file.name);
  }
  for (const LimitCheck& check : report.limits) {
    text += fmt::format("  --{} {}: {} ({})\n", check.name, check.limit, check.value,
                        check.met() ? "met" : "not met");
  }
  return text;
}

std::string errorJson(const BakeError& error) {
  const Json json = {{"error", figuresJson(error.palette)},
                     {"errorDirect", figuresJson(error.direct)}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace ck::cli

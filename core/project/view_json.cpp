#include "core/project/view_json.h"

#include <nlohmann/json.hpp>

namespace ck {

std::string viewJson(const ViewSettings& view) {
  const PoseSettings& pose = view.pose;
  nlohmann::ordered_json json = {
      {"method", methodName(pose.method)},       {"grid", view.grid},
      {"sampling", samplingName(pose.sampling)}, {"influences", pose.influences},
      {"shadows", shadowsName(view.shadows)},    {"tickRateHz", view.tickRateHz},
      {"skinOn", skinOnName(pose.skinOn)},       {"updateEvery", pose.updateEvery}};
  const PoseSettings usual;
  if (pose.paletteRead != usual.paletteRead) {
    json["paletteRead"] = paletteReadName(pose.paletteRead);
  }
  if (pose.packedInfluences) json["packedInfluences"] = true;
  if (pose.morphs.nearMeters != usual.morphs.nearMeters) {
    json["facesWithinMeters"] = pose.morphs.nearMeters;
  }
  return json.dump();
}

void readView(JsonFields fields, ViewSettings& view) {
  constexpr double kFarthest = 1e9;
  PoseSettings& pose = view.pose;
  fields.choice("method", pose.method, methodFromName, methodName);
  fields.flag("grid", view.grid);
  fields.choice("sampling", pose.sampling, samplingFromName, samplingName);
  const int influences = pose.influences;
  fields.integer("influences", pose.influences, 0, 4);
  if (pose.influences == 3) {
    fields.wrong("influences", "is 3, not 0 (as baked), 1, 2 or 4");
    pose.influences = influences;
  }
  fields.choice("skinOn", pose.skinOn, skinOnFromName, skinOnName);
  fields.integer("updateEvery", pose.updateEvery, 1, 16);
  fields.choice("shadows", view.shadows, shadowsFromName, shadowsName);
  fields.number("tickRateHz", view.tickRateHz, 0.0, 1000.0);
  fields.choice("paletteRead", pose.paletteRead, paletteReadFromName, paletteReadName);
  fields.flag("packedInfluences", pose.packedInfluences);
  fields.number("facesWithinMeters", pose.morphs.nearMeters, 0.0, kFarthest);
}

}  // namespace ck

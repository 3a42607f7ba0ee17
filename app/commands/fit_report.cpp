#include "app/commands/fit_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace ck::cli {
namespace {

std::string_view restWord(const ClipFitReport& report) {
  return restFitName(report.offset ? RestFit::ApplyOffset : RestFit::KeepRotations);
}

std::string rulesText(const ClipFitReport& report) {
  std::map<MatchRule, int> counts;
  for (const ClipFitReport::Row& row : report.rows) {
    if (row.joint >= 0) ++counts[row.rule];
  }
  std::string text;
  for (const auto& [rule, count] : counts) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, matchRuleName(rule));
  }
  return text.empty() ? "none" : text;
}

}  // namespace

Json fitsJson(std::span<const ClipFitReport> reports, const Rig& rig) {
  Json all = Json::array();
  for (const ClipFitReport& report : reports) {
    Json joints = Json::array();
    for (std::size_t j = 0; j < report.rows.size(); ++j) {
      const ClipFitReport::Row& row = report.rows[j];
      Json partner;
      const bool isInRig = row.joint >= 0 && std::size_t(row.joint) < rig.joints.size();
      if (isInRig) partner = rig.joints[std::size_t(row.joint)].name;
      joints.push_back({{"name", report.skeleton.joints[j].name},
                        {"rigJoint", partner},
                        {"rule", matchRuleName(row.rule)},
                        {"moves", row.moves},
                        {"restDegrees", row.restDegrees}});
    }
    all.push_back({{"file", report.path},
                   {"rest", restWord(report)},
                   {"upAxis", upAxisName(report.up)},
                   {"metersPerUnit", report.metersPerUnit},
                   {"axesFound", report.foundAxes},
                   {"joints", std::move(joints)}});
  }
  return all;
}

std::string fitsText(std::span<const ClipFitReport> reports) {
  std::string lines;
  for (const ClipFitReport& report : reports) {
    const auto matched = std::ranges::count_if(
        report.rows, [](const ClipFitReport::Row& row) { return row.joint >= 0; });
    double most = 0.0;
    std::string missing;
    for (std::size_t j = 0; j < report.rows.size(); ++j) {
      const ClipFitReport::Row& row = report.rows[j];
      if (row.joint >= 0) most = std::max(most, row.restDegrees);
      if (row.joint >= 0 || !row.moves) continue;
      missing += (missing.empty() ? "" : ", ") + report.skeleton.joints[j].name;
    }
    lines += fmt::format(
        "  clips of {}: {} of {} joints matched ({}), {} up, {:.4g} m per unit, rests differ by up "
        "to {:.0f} degrees ({})\n",
        report.path, matched, report.rows.size(), rulesText(report), upAxisName(report.up),
        report.metersPerUnit, most, restWord(report));
    if (!missing.empty()) lines += fmt::format("    move and have no partner: {}\n", missing);
  }
  return lines;
}

}  // namespace ck::cli

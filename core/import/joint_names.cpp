#include "core/import/joint_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

namespace ck {
namespace {

std::string lowered(std::string_view name) {
  std::string result(name);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return result;
}

// "bip01 head" -> "head"; the prefix alone is kept.
std::string_view withoutBiped(std::string_view name) {
  std::string_view rest = name;
  if (rest.starts_with("valvebiped.")) rest.remove_prefix(11);
  if (!rest.starts_with("bip")) return name;
  const std::size_t end = rest.find_first_not_of("0123456789", 3);
  if (end == 3 || end == std::string_view::npos || end + 1 >= rest.size()) return name;
  return rest[end] == ' ' || rest[end] == '_' ? rest.substr(end + 1) : name;
}

}  // namespace

std::string bareJointName(std::string_view name) {
  const std::size_t mark = name.find_last_of(":|");
  if (mark != std::string_view::npos && mark + 1 < name.size()) name = name.substr(mark + 1);
  const std::string small = lowered(name);
  return std::string(withoutBiped(small));
}

JointMatches matchJoints(const Rig& rig, const Rig& from) {
  JointMatches result;
  result.rigJoints.assign(from.joints.size(), -1);
  std::vector<char> given(rig.joints.size(), 0);
  const std::function<std::string(std::string_view)> rules[] = {
      [](std::string_view name) { return std::string(name); }, lowered, bareJointName};
  for (const auto& rule : rules) {
    constexpr int kSeveral = -2;
    const bool exact = &rule == &rules[0];
    std::map<std::string, int> inRig;
    for (std::size_t j = 0; j < rig.joints.size(); ++j) {
      if (given[j] != 0) continue;
      const auto [place, isNew] = inRig.try_emplace(rule(rig.joints[j].name), static_cast<int>(j));
      if (!isNew) place->second = kSeveral;
    }
    std::map<std::string, int> wanted;  // number of joints of the file with that name
    for (std::size_t j = 0; j < from.joints.size(); ++j) {
      if (result.rigJoints[j] < 0) ++wanted[rule(from.joints[j].name)];
    }
    for (std::size_t j = 0; j < from.joints.size(); ++j) {
      if (result.rigJoints[j] >= 0) continue;
      const std::string name = rule(from.joints[j].name);
      const auto found = inRig.find(name);
      if (found == inRig.end() || found->second < 0 || wanted[name] > 1) continue;
      const auto joint = static_cast<std::size_t>(found->second);
      result.rigJoints[j] = found->second;
      given[joint] = 1;
      if (exact) continue;
      if (result.byRule++ == 0) {
        result.ruleSample =
            fmt::format("'{}' to '{}'", from.joints[j].name, rig.joints[joint].name);
      }
    }
  }
  return result;
}

}  // namespace ck

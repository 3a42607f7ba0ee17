#include "core/project/crowds.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace ck {
namespace {

std::optional<std::size_t> numberOf(std::string_view text) {
  std::size_t number = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || at != end) return std::nullopt;
  return number;
}

}  // namespace

int crowdCount(const Project& project) {
  return static_cast<int>(project.crowds.size());
}

int chosenCrowd(const Project& project) {
  return std::clamp(project.desk.crowd, 0, crowdCount(project) - 1);
}

const ProjectCrowd& chosen(const Project& project) {
  return project.crowds[static_cast<std::size_t>(chosenCrowd(project))];
}

std::vector<int> crowdSizes(const Project& project) {
  std::vector<int> sizes(project.crowds.size(), 0);
  for (std::size_t i = 0; i < project.actors.size(); ++i) {
    ++sizes[static_cast<std::size_t>(project.actors[i].crowd)];
  }
  return sizes;
}

void recount(Project& project) {
  const std::vector<int> sizes = crowdSizes(project);
  for (std::size_t c = 0; c < sizes.size(); ++c) project.crowds[c].spawn.count = sizes[c];
}

bool isFreeCrowdName(const Project& project, int crowd, std::string_view name) {
  if (name.empty() || name.find_first_of("\r\n") != std::string_view::npos) return false;
  for (int c = 0; c < crowdCount(project); ++c) {
    if (c != crowd && project.crowds[static_cast<std::size_t>(c)].name == name) return false;
  }
  return true;
}

Result<int> crowdNamed(const Project& project, std::string_view name) {
  const auto found = std::ranges::find(project.crowds, name, &ProjectCrowd::name);
  if (found != project.crowds.end()) return static_cast<int>(found - project.crowds.begin());
  const auto number = name.starts_with('#') ? numberOf(name.substr(1)) : std::nullopt;
  if (number && *number < project.crowds.size()) return static_cast<int>(*number);
  std::vector<std::string> names;
  for (const ProjectCrowd& crowd : project.crowds) names.push_back(crowd.name);
  return fail(ErrorCode::InvalidInput,
              fmt::format("there is no crowd '{}'; there is '{}'", name, fmt::join(names, "', '")));
}

std::vector<glm::dvec2> crowdCenters(const Project& project) {
  const std::vector<int> sizes = crowdSizes(project);
  std::vector<glm::dvec2> sums(sizes.size(), glm::dvec2(0.0));
  for (std::size_t i = 0; i < project.actors.size(); ++i) {
    const Actor& actor = project.actors[i];
    sums[static_cast<std::size_t>(actor.crowd)] += glm::dvec2(actor.position.x, actor.position.z);
  }
  std::vector<glm::dvec2> centers;
  for (std::size_t c = 0; c < sizes.size(); ++c) {
    const SpawnSettings& spawn = project.crowds[c].spawn;
    if (spawn.formation == Formation::Path) {
      centers.push_back(sums[c] / std::max(static_cast<double>(sizes[c]), 1.0));
      continue;
    }
    centers.push_back(spawn.centerMeters);
  }
  return centers;
}

}  // namespace ck

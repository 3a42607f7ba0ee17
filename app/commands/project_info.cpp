#include "app/commands/project_info.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/commands/event_options.h"
#include "core/project/characters.h"

namespace ck::cli {
namespace {

using Json = nlohmann::ordered_json;

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

}  // namespace

std::string projectDocument(const std::string& file, const Project& project) {
  Json sources = Json::array();
  for (const SourceFile& source : project.characters.front().sources) {
    sources.push_back(source.path);
  }
  Json cast = Json::array();
  const auto counts = actorsByCharacter(project);
  for (int c = 0; c < characterCount(project); ++c) {
    Json clips = Json::array();
    for (const ProjectClip& clip : clipsOf(project, c)) clips.push_back(titleOf(clip));
    Json events = Json::array();
    for (const ProjectClip& clip : clipsOf(project, c)) {
      for (const ClipEvent& event : clip.events) {
        events.push_back(
            {{"clip", titleOf(clip)}, {"name", event.name}, {"seconds", event.seconds}});
      }
    }
    Json member = {{"title", characterTitle(project, c)},
                   {"source", sourceOf(project, c)},
                   {"variant", c > 0 && shareRig(project, c, 0)},
                   {"actors", counts[static_cast<std::size_t>(c)]},
                   {"clips", clips},
                   {"hiddenMeshes", project.characters[static_cast<std::size_t>(c)].hiddenMeshes}};
    // The clips of a member that is a project are in that project's file.
    if (c == 0 || !isProjectPath(sourceOf(project, c))) member["events"] = events;
    cast.push_back(std::move(member));
  }
  const Json json = {{"file", file},
                     {"sources", sources},
                     {"method", methodName(project.view.pose.method)},
                     {"encoding", encodingInfo(project.characters.front().bake.encoding).name},
                     {"actors", project.actors.size()},
                     {"cast", cast}};
  return json.dump(1, ' ', false, Json::error_handler_t::replace);
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
  return lines;
}

}  // namespace ck::cli

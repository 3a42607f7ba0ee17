#include "core/project/characters.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/assert.h"
#include "core/project/actor_columns.h"
#include "core/project/crowds.h"
#include "core/system/files.h"

namespace ck {
namespace {

template <class Matches>
int placeOf(const std::vector<ProjectClip>& clips, Matches&& matches) {
  const auto at = std::ranges::find_if(clips, matches);
  return at == clips.end() ? -1 : static_cast<int>(at - clips.begin());
}

int placeOfName(const std::vector<ProjectClip>& clips, const std::string& name) {
  return placeOf(clips, [&name](const ProjectClip& clip) { return clip.name == name; });
}

const ProjectCharacter& characterAt(const Project& project, int character) {
  CK_ASSERT(character >= 0 && character < characterCount(project));
  return project.characters[static_cast<std::size_t>(character)];
}

}  // namespace

int baseOf(const Project& project, int character) {
  return characterAt(project, character).variantOf.value_or(character);
}

const ProjectCharacter& baseCharacter(const Project& project, int character) {
  return characterAt(project, baseOf(project, character));
}

bool shareRig(const Project& project, int a, int b) {
  return baseOf(project, a) == baseOf(project, b);
}

const std::vector<ProjectClip>& clipsOf(const Project& project, int character) {
  return baseCharacter(project, character).clips;
}

std::string characterTitle(const Project& project, int character) {
  const ProjectCharacter& one = characterAt(project, character);
  if (!one.title.empty() || one.sources.empty()) return one.title;
  return pathText(pathFromText(one.sources.front().path).stem());
}

std::vector<int> hiddenMeshesOf(const ProjectCharacter& asked, const Character& character) {
  const std::vector<std::string>& names = asked.hiddenMeshes;
  std::vector<int> meshes;
  for (std::size_t i = 0; i < character.meshes.size(); ++i) {
    if (std::ranges::find(names, character.meshes[i].name) != names.end()) {
      meshes.push_back(static_cast<int>(i));
    }
  }
  return meshes;
}

bool isProjectPath(std::string_view path) {
  std::string ending = pathText(pathFromText(path).extension());
  for (char& letter : ending) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return ending == ".crowd";
}

bool isFromProject(const ProjectCharacter& character) {
  return !character.sources.empty() && isProjectPath(character.sources.front().path);
}

bool isFreeCharacterTitle(const Project& project, int character, std::string_view title) {
  for (int c = 0; c < characterCount(project); ++c) {
    if (c != character && characterTitle(project, c) == title) return false;
  }
  return !title.empty() && title.find_first_of("\r\n") == std::string_view::npos;
}

ProjectCharacter characterFrom(const Project& project, const SourceFile& source) {
  ProjectCharacter character;
  character.title = pathText(pathFromText(source.path).stem());
  character.sources = {source};
  for (int c = 1; c < characterCount(project); ++c) {
    if (project.characters[static_cast<std::size_t>(c)].sources != character.sources) continue;
    character.sources.clear();
    character.variantOf = c;
    break;
  }
  return character;
}

int addCharacter(Project& project, ProjectCharacter character) {
  // A file name may contain line breaks, a title must not.
  std::string wanted = character.title.empty() ? "character" : character.title;
  std::ranges::replace_if(
      wanted, [](char c) { return c == '\r' || c == '\n'; }, ' ');
  character.title = wanted;
  for (int number = 2; !isFreeCharacterTitle(project, -1, character.title); ++number) {
    character.title = fmt::format("{} {}", wanted, number);
  }
  project.characters.push_back(std::move(character));
  return characterCount(project) - 1;
}

void removeCharacter(Project& project, int character) {
  CK_ASSERT(character >= 1 && character < characterCount(project));
  std::vector<ProjectCharacter>& all = project.characters;
  const ProjectCharacter removed = all[static_cast<std::size_t>(character)];
  std::optional<int> heir;  // number of the new base before the removal
  for (int c = 0; c < characterCount(project); ++c) {
    ProjectCharacter& one = all[static_cast<std::size_t>(c)];
    if (one.variantOf != character) continue;
    one.variantOf = heir;
    if (heir) continue;
    heir = c;
    one.sources = removed.sources;
    one.import = removed.import;
    one.clips = removed.clips;
    one.bake = removed.bake;
  }
  all.erase(all.begin() + character);
  for (ProjectCharacter& one : all) {
    if (one.variantOf && *one.variantOf > character) --*one.variantOf;
  }
  for (ProjectCrowd& crowd : project.crowds) {
    std::vector<double>& shares = crowd.spawn.shares;
    if (static_cast<std::size_t>(character) < shares.size()) {
      shares.erase(shares.begin() + character);
    }
  }
  std::vector<Actor> actors;
  bool changed = false;
  for (std::size_t i = 0; i < project.actors.size(); ++i) {
    Actor actor = project.actors[i];
    changed = changed || actor.character >= character;
    if (actor.character == character) continue;
    if (actor.character > character) --actor.character;
    actors.push_back(actor);
  }
  if (!changed) return;
  project.actors = ActorList(actors);
  recount(project);
}

void setClips(Project& project, int character, std::vector<ProjectClip> clips) {
  const int base = baseOf(project, character);
  std::vector<ProjectClip>& ours = project.characters[static_cast<std::size_t>(base)].clips;
  std::vector<int> newNumbers;
  bool moved = false;
  for (const ProjectClip& clip : ours) {
    newNumbers.push_back(placeOfName(clips, clip.name));
    moved = moved || newNumbers.back() + 1 != static_cast<int>(newNumbers.size());
  }
  ours = std::move(clips);
  const auto newNumber = [&newNumbers](int clip) {
    const bool known = clip >= 0 && static_cast<std::size_t>(clip) < newNumbers.size();
    return known ? newNumbers[static_cast<std::size_t>(clip)] : -1;
  };
  for (std::size_t i = 0; moved && i < project.actors.size(); ++i) {
    Actor actor = project.actors[i];
    if (baseOf(project, actor.character) != base) continue;
    const Actor before = actor;
    renumberClips(actor, newNumber);
    if (!(actor == before)) project.actors.set(i, actor);
  }
}

int sameClip(const Project& project, int of, int clip, int character) {
  if (clip < 0 || shareRig(project, of, character)) return clip;
  const std::vector<ProjectClip>& ours = clipsOf(project, of);
  if (static_cast<std::size_t>(clip) >= ours.size()) return -1;
  const ProjectClip& wanted = ours[static_cast<std::size_t>(clip)];
  const std::vector<ProjectClip>& theirs = clipsOf(project, character);
  const int titled = placeOf(
      theirs, [&wanted](const ProjectClip& one) { return titleOf(one) == titleOf(wanted); });
  return titled >= 0 ? titled : placeOfName(theirs, wanted.name);
}

Actor recast(const Project& project, Actor actor, int character) {
  if (actor.character == character) return actor;
  renumberClips(actor,
                [&](int clip) { return sameClip(project, actor.character, clip, character); });
  actor.character = character;
  return actor;
}

}  // namespace ck

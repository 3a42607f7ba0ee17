#include "core/project/cast.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/atlas/atlas_file.h"
#include "core/bake/bake.h"
#include "core/base/assert.h"
#include "core/base/files.h"
#include "core/morph/morph_set.h"
#include "core/project/pipeline.h"
#include "core/project/project_json.h"

namespace ck {
namespace {

namespace fs = std::filesystem;

const CastMember& memberOf(const Project& project, int character) {
  CK_ASSERT(character >= 1 && character < characterCount(project));
  return project.cast[static_cast<std::size_t>(character - 1)];
}

int clipNamed(const std::vector<ProjectClip>& clips, const ProjectClip& wanted) {
  for (const auto& name : {&ProjectClip::name, &ProjectClip::title}) {
    for (std::size_t i = 0; i < clips.size(); ++i) {
      if (!(wanted.*name).empty() && clips[i].*name == wanted.*name) return static_cast<int>(i);
    }
  }
  return -1;
}

}  // namespace

bool isOwnRig(const Project& project, int character) {
  return character == 0 || memberOf(project, character).source.path.empty();
}

const std::vector<ProjectClip>& clipsOf(const Project& project, int character) {
  return isOwnRig(project, character) ? project.clips : memberOf(project, character).clips;
}

std::string characterTitle(const Project& project, int character) {
  if (character > 0) return memberOf(project, character).title;
  if (project.sources.empty()) return {};
  return pathText(pathFromText(project.sources.front().path).stem());
}

std::vector<int> meshesNamed(const Character& character, std::span<const std::string> names) {
  std::vector<int> meshes;
  for (std::size_t i = 0; i < character.meshes.size(); ++i) {
    if (std::find(names.begin(), names.end(), character.meshes[i].name) != names.end()) {
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

Result<CastSource> readCastSource(const SourceFile& source, const JobContext& job) {
  CastSource read;
  ImportInputs inputs{{source}, {}};
  const bool isProject = isProjectPath(source.path);
  if (isProject) {
    read.projectFile = pathFromText(source.path);
    auto project = readProjectFile(read.projectFile);
    if (!project) return tl::unexpected(project.error());
    read.project = std::move(*project);
    inputs = importInputs(read.project);
    if (inputs.sources.empty()) {
      return fail(ErrorCode::InvalidInput,
                  fmt::format("{}: the project has no rig; import one into it", source.path),
                  source.path);
    }
  }
  std::vector<fs::path> paths;
  for (const SourceFile& each : inputs.sources) paths.push_back(pathFromText(each.path));
  auto character = importWithClips(paths, inputs.settings, {}, job);
  if (!character) return tl::unexpected(character.error());
  read.character = std::make_shared<const Character>(std::move(*character));
  if (isProject) {
    adoptClips(read.project, *read.character);
  } else {
    read.project = newProjectFor(*read.character, {source});
  }
  read.project.actors = {};
  read.project.cast.clear();
  return read;
}

void bakeAs(CastSource& source, const CastMember& member) {
  if (!source.projectFile.empty()) return;
  source.project.bake = member.bake;
  source.project.bake.clips.clear();
  source.project.clips = member.clips;
  // A member that no file has been read for yet says nothing of clips.
  adoptClips(source.project, *source.character);
}

bool bakesOtherwise(const CastSource& source, const CastMember& member) {
  CastSource asked = source;
  bakeAs(asked, member);
  return !(bakeInputs(asked.project) == bakeInputs(source.project));
}

void setCastBake(Project& project, const SourceFile& source, const BakeSettings& bake,
                 const std::vector<ProjectClip>& clips) {
  CK_ASSERT(!isProjectPath(source.path));
  for (CastMember& member : project.cast) {
    if (source.path.empty() || !(member.source == source)) continue;
    member.bake = bake;
    member.bake.clips.clear();
  }
  adoptCastClips(project, source, clips);
}

fs::path atlasBeside(const fs::path& projectFile) {
  fs::path path = projectFile;
  return path.replace_extension(".ckatlas");
}

bool atlasFits(const Atlas& atlas, const Character& character, const BakeSettings& settings) {
  if (atlas.sourceHash != character.source.hash) return false;
  if (atlas.unitScale != character.source.unitScale) return false;
  if (atlas.joints.size() != character.rig.skinJoints.size()) return false;
  if (atlas.morphs.names.size() != morphSetOf(character).size()) return false;
  if (atlas.encoding != settings.encoding || atlas.layout != settings.layout ||
      atlas.rangeMode != rangeModeFor(settings) || atlas.influences != settings.influences ||
      atlas.interpolate != settings.interpolate) {
    return false;
  }
  const Result<BakeCost> cost = bakeCost(character, settings);
  if (!cost || cost->clips.size() != atlas.clips.size()) return false;
  if (cost->components.components != atlas.components) return false;
  for (std::size_t clip = 0; clip < atlas.clips.size(); ++clip) {
    if (cost->clips[clip].name != atlas.clips[clip].name ||
        cost->clips[clip].frames != atlas.clips[clip].frameCount) {
      return false;
    }
    if (clip >= settings.clips.size()) continue;
    const BakeClip& wish = settings.clips[clip];
    if (wish.loop && *wish.loop != atlas.clips[clip].loop) return false;
    if (wish.shape != atlas.clips[clip].shape) return false;
  }
  return cost->width == atlasWidth(atlas) && cost->height == atlasHeight(atlas);
}

Result<AtlasPtr> atlasOfCastSource(const CastSource& source, Notes& notes, const JobContext& job) {
  if (!source.project.clips.empty() && !anyClipTicked(source.project)) {
    return fail(ErrorCode::InvalidInput,
                fmt::format("{}: none of its {} clips is ticked, so there is nothing to bake; tick "
                            "one",
                            source.character->name, source.project.clips.size()));
  }
  const BakeSettings settings = bakeInputs(source.project);
  std::error_code failed;
  const fs::path beside = source.projectFile.empty() ? fs::path() : atlasBeside(source.projectFile);
  if (!beside.empty() && fs::is_regular_file(beside, failed)) {
    auto atlas = readAtlasFile(beside);
    if (atlas && atlasFits(*atlas, *source.character, settings)) {
      return std::make_shared<const Atlas>(std::move(*atlas));
    }
    if (!atlas) {
      notes.push_back({Note::Level::Warning, "AtlasBeside",
                       fmt::format("{}; the clips are baked again", atlas.error().message)});
    }
  }
  auto baked = bake(*source.character, settings, job);
  if (!baked) return tl::unexpected(baked.error());
  notes.insert(notes.end(), baked->notes.begin(), baked->notes.end());
  return std::make_shared<const Atlas>(std::move(baked->atlas));
}

bool isFreeCastTitle(const Project& project, int character, std::string_view title) {
  for (int c = 0; c < characterCount(project); ++c) {
    if (c != character && characterTitle(project, c) == title) return false;
  }
  return !title.empty() && title.find_first_of("\r\n") == std::string_view::npos;
}

int addCastMember(Project& project, CastMember member) {
  // Line breaks, which names of files may have, would never make a free title.
  std::string wanted = member.title.empty() ? "character" : member.title;
  std::replace_if(
      wanted.begin(), wanted.end(), [](char c) { return c == '\r' || c == '\n'; }, ' ');
  member.title = wanted;
  for (int number = 2; !isFreeCastTitle(project, -1, member.title); ++number) {
    member.title = fmt::format("{} {}", wanted, number);
  }
  project.cast.push_back(std::move(member));
  return characterCount(project) - 1;
}

void removeCastMember(Project& project, int character) {
  CK_ASSERT(character >= 1 && character < characterCount(project));
  project.cast.erase(project.cast.begin() + (character - 1));
  std::vector<double>& shares = project.spawn.shares;
  if (static_cast<std::size_t>(character) < shares.size()) {
    shares.erase(shares.begin() + character);
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
  if (actors.size() != project.actors.size()) project.spawn.count = static_cast<int>(actors.size());
  project.actors = ActorList(actors);
}

void adoptCastClips(Project& project, const SourceFile& source,
                    const std::vector<ProjectClip>& clips) {
  std::vector<ProjectClip> kept = clips;
  if (isProjectPath(source.path)) {
    for (ProjectClip& clip : kept) clip = {.name = clip.name, .title = clip.title};
  }
  std::vector<int> moved;
  std::vector<bool> isOurs(static_cast<std::size_t>(characterCount(project)), false);
  for (std::size_t m = 0; m < project.cast.size(); ++m) {
    CastMember& member = project.cast[m];
    if (source.path.empty() || !(member.source == source) || member.clips == kept) continue;
    // All of one source have the same clips, unless the file was edited by hand.
    moved.clear();
    for (const ProjectClip& clip : member.clips) moved.push_back(clipNamed(kept, clip));
    member.clips = kept;
    isOurs[m + 1] = true;
  }
  const auto newNumber = [&moved](int clip) {
    const bool known = clip >= 0 && static_cast<std::size_t>(clip) < moved.size();
    return known ? moved[static_cast<std::size_t>(clip)] : -1;
  };
  for (std::size_t i = 0; i < project.actors.size() && !moved.empty(); ++i) {
    Actor actor = project.actors[i];
    const auto character = static_cast<std::size_t>(actor.character);
    if (character >= isOurs.size() || !isOurs[character]) continue;
    const Actor before = actor;
    actor.clip = std::max(newNumber(actor.clip), 0);
    actor.fadeClip = newNumber(actor.fadeClip);
    if (!(actor == before)) project.actors.set(i, actor);
  }
}

Actor recast(const Project& project, Actor actor, int character) {
  if (actor.character == character) return actor;
  const std::vector<ProjectClip>& old = clipsOf(project, actor.character);
  const std::vector<ProjectClip>& now = clipsOf(project, character);
  const auto same = [&](int clip) {
    const bool known = clip >= 0 && static_cast<std::size_t>(clip) < old.size();
    return known ? clipNamed(now, old[static_cast<std::size_t>(clip)]) : -1;
  };
  actor.clip = std::max(same(actor.clip), 0);
  actor.fadeClip = same(actor.fadeClip);
  actor.character = character;
  return actor;
}

int sameClip(const Project& project, int ownClip, int character) {
  if (isOwnRig(project, character)) return ownClip;
  if (ownClip < 0 || static_cast<std::size_t>(ownClip) >= project.clips.size()) return -1;
  const std::string& title = titleOf(project.clips[static_cast<std::size_t>(ownClip)]);
  const std::vector<ProjectClip>& theirs = clipsOf(project, character);
  const auto found = std::find_if(theirs.begin(), theirs.end(), [&title](const ProjectClip& clip) {
    return titleOf(clip) == title;
  });
  return found == theirs.end() ? -1 : static_cast<int>(found - theirs.begin());
}

}  // namespace ck

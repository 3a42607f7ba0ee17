#include "core/project/cast_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/base/assert.h"
#include "core/base/words.h"
#include "core/import/clip_names.h"
#include "core/project/characters.h"
#include "core/project/crowds.h"

namespace ck {
namespace {

constexpr std::size_t kMostNamed = 20;  // names in a sentence

}  // namespace

CastNames::List CastNames::listOf(const std::vector<std::string>& wanted) {
  const std::set<std::string_view> taken(wanted.begin(), wanted.end());
  std::map<std::string, int> repeats;
  List list;
  for (const std::string& one : wanted) {
    const std::string base = one.empty() ? "unnamed" : one;
    const auto number = static_cast<int>(list.names.size());
    std::string name = base;
    bool isFree = one.empty() ? !taken.contains(name) && !list.numbers.contains(name)
                              : !list.numbers.contains(name);
    while (!isFree) {
      const int repeat = ++repeats.try_emplace(base, 1).first->second;
      name = fmt::format("{} ({})", base, repeat);
      isFree = !taken.contains(name) && !list.numbers.contains(name);
    }
    list.numbers.emplace(name, number);
    list.names.push_back(std::move(name));
  }
  return list;
}

CastNames::CastNames(const Project& project) {
  std::vector<std::string> titles;
  for (int c = 0; c < characterCount(project); ++c) {
    titles.push_back(characterTitle(project, c));
    bases_.push_back(baseOf(project, c));
    List& clips = clips_.emplace_back();
    if (bases_.back() != c) continue;
    std::vector<std::string> clipTitles;
    for (const ProjectClip& clip : clipsOf(project, c)) clipTitles.push_back(titleOf(clip));
    clips = listOf(clipTitles);
    int number = 0;
    for (const ProjectClip& clip : clipsOf(project, c)) {
      clips.numbers.try_emplace(clip.name, number++);
    }
  }
  characters_ = listOf(titles);
  std::vector<std::string> masks;
  for (const JointMask& mask : project.masks) masks.push_back(mask.name);
  masks_ = listOf(masks);
  groups_ = listOf(project.groups);
  std::vector<std::string> crowds;
  for (const ProjectCrowd& crowd : project.crowds) crowds.push_back(crowd.name);
  crowds_ = listOf(crowds);
  chosenCrowd_ = chosenCrowd(project);
}

const CastNames::List& CastNames::list(ActorKind kind, int character) const {
  if (kind == ActorKind::Character) return characters_;
  if (kind == ActorKind::Mask) return masks_;
  if (kind == ActorKind::Group) return groups_;
  if (kind == ActorKind::Crowd) return crowds_;
  CK_ASSERT(kind == ActorKind::Clip);
  return clips_[static_cast<std::size_t>(bases_[static_cast<std::size_t>(character)])];
}

std::span<const std::string> CastNames::names(ActorKind kind, int character) const {
  return list(kind, character).names;
}

int CastNames::find(ActorKind kind, int character, std::string_view name) const {
  const auto& numbers = list(kind, character).numbers;
  auto found = numbers.find(name);
  // A file of actors may have the name that the clip has in the rig's file.
  if (found == numbers.end() && kind == ActorKind::Clip) found = numbers.find(plainClipName(name));
  if (found != numbers.end()) return found->second;
  return kind == ActorKind::Crowd ? chosenCrowd_ : -1;
}

std::string CastNames::missing(ActorKind kind, int character, std::string_view name) const {
  const std::vector<std::string>& all = list(kind, character).names;
  std::vector<std::string> quoted;
  for (std::size_t i = 0; i < std::min(all.size(), kMostNamed); ++i) {
    quoted.push_back(fmt::format("'{}'", all[i]));
  }
  if (all.size() > kMostNamed) quoted.push_back(fmt::format("{} more", all.size() - kMostNamed));
  const std::vector<std::string_view> words(quoted.begin(), quoted.end());
  const std::string whose = kind == ActorKind::Clip
                                ? "'" + characters_.names[static_cast<std::size_t>(character)] + "'"
                                : "the project";
  const std::string_view what = kind == ActorKind::Clip    ? "clip"
                                : kind == ActorKind::Mask  ? "mask"
                                : kind == ActorKind::Group ? "group"
                                                           : "character";
  return fmt::format("{} has no {} '{}'; it has {}", whose, what, name,
                     all.empty() ? "none" : inWords(words));
}

}  // namespace ck

#include "core/project/actors/actor_clipboard.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/base/words.h"
#include "core/project/actors/actor_edits.h"
#include "core/project/actors/placement.h"
#include "core/project/actors_json.h"
#include "core/project/cast_names.h"
#include "core/project/characters.h"
#include "core/project/crowds.h"

namespace ck {
namespace {

constexpr std::size_t kMostBytes = std::size_t{64} << 20;
constexpr std::size_t kMostNamed = 4;  // names in a remark

// The references of actors that a project does not have, with the number of these actors.
class Missing {
 public:
  explicit Missing(std::size_t actors) : actors_(actors) {}

  // `instead`: what the actor has for it.
  void add(std::size_t actor, ActorKind kind, const std::string& name, std::string_view instead) {
    concerned_.insert(actor);
    names_.try_emplace({kind, name}, instead);
  }

  // Empty if nothing is missing.
  std::string sentence() const {
    if (names_.empty()) return {};
    const bool one = concerned_.size() == 1;
    const std::string whom =
        actors_ == 1 ? "The actor" : fmt::format("{} of {} actors", concerned_.size(), actors_);
    if (names_.size() == 1) {
      const auto& [what, instead] = *names_.begin();
      const auto& [kind, name] = what;
      const std::string which = fmt::format("'{}', which this project does not have", name);
      const std::string_view they = one ? "it" : "they";
      if (kind == ActorKind::Character) {
        return fmt::format("{} {} {}; {} {} '{}'", whom, one ? "is" : "are", which, they,
                           one ? "is" : "are", instead);
      }
      if (kind == ActorKind::Mask) {
        return fmt::format("{} {} the mask {}; {} {} none", whom, one ? "has" : "have", which, they,
                           one ? "has" : "have");
      }
      return fmt::format("{} {} {}; {} {} {}", whom, one ? "plays" : "play", which, they,
                         one ? "plays" : "play", instead);
    }
    std::vector<std::string> quoted;
    for (const auto& [what, instead] : names_) {
      if (quoted.size() == kMostNamed) break;
      quoted.push_back(fmt::format("'{}'", what.second));
    }
    if (names_.size() > kMostNamed) {
      quoted.push_back(fmt::format("{} more", names_.size() - kMostNamed));
    }
    const std::vector<std::string_view> words(quoted.begin(), quoted.end());
    return fmt::format("{} {} {}, which this project does not have; {} what is there instead", whom,
                       one ? "refers to" : "refer to", inWords(words),
                       one ? "it gets" : "they get");
  }

 private:
  std::size_t actors_;
  std::set<std::size_t> concerned_;
  std::map<std::pair<ActorKind, std::string>, std::string> names_;
};

// The actors of a text, by the numbers of the text itself.
Result<Project> listedFrom(std::string_view text) {
  if (text.size() > kMostBytes) {
    return fail(ErrorCode::LimitExceeded,
                fmt::format("the clipboard has {} bytes, more than the limit of {}", text.size(),
                            kMostBytes));
  }
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos ||
      text[text.find_first_not_of(" \t\r\n")] != '{') {
    return fail(ErrorCode::InvalidInput, "the clipboard holds no actors: copy some first");
  }
  auto listed = listedFromJson(text);
  if (!listed) {
    return fail(listed.error().code,
                fmt::format("the clipboard holds no actors: {}", listed.error().message));
  }
  if (listed->actors.size() == 0) {
    return fail(ErrorCode::InvalidInput, "the clipboard holds no actors: copy some first");
  }
  return listed;
}

// Renumbers actors of `listed` for `project`.
class Translation {
 public:
  Translation(const Project& listed, const Project& project, std::size_t count)
      : listed_(listed), names_(project), missing_(count) {}

  int character(std::size_t index, const Actor& actor) {
    const std::string& name = listed_.characters[static_cast<std::size_t>(actor.character)].title;
    const int found = names_.find(ActorKind::Character, 0, name);
    if (found >= 0) return found;
    missing_.add(index, ActorKind::Character, name, names_.names(ActorKind::Character, 0).front());
    return 0;
  }

  // A clip of the listed actor, for an actor of `character`; `otherwise` if it has none called so.
  int clip(std::size_t index, const Actor& actor, int clip, int character, int otherwise) {
    const auto& theirs = clipsOf(listed_, actor.character);
    if (clip < 0 || static_cast<std::size_t>(clip) >= theirs.size()) return clip < 0 ? -1 : 0;
    const std::string& name = theirs[static_cast<std::size_t>(clip)].name;
    const int found = names_.find(ActorKind::Clip, character, name);
    if (found >= 0) return found;
    const auto all = names_.names(ActorKind::Clip, character);
    const auto at = static_cast<std::size_t>(otherwise);
    missing_.add(index, ActorKind::Clip, name,
                 otherwise >= 0 && at < all.size() ? fmt::format("'{}'", all[at]) : "nothing else");
    return otherwise;
  }

  int mask(std::size_t index, const Actor& actor) {
    if (actor.mask < 0) return -1;
    const std::string& name = listed_.masks[static_cast<std::size_t>(actor.mask)].name;
    const int found = names_.find(ActorKind::Mask, 0, name);
    if (found < 0) missing_.add(index, ActorKind::Mask, name, "none");
    return found;
  }

  // Actors of another project come into the crowd that is edited.
  int crowd(const Actor& actor, int chosen) const {
    const auto at = static_cast<std::size_t>(actor.crowd);
    if (at >= listed_.crowds.size()) return chosen;
    return names_.find(ActorKind::Crowd, 0, listed_.crowds[at].name);
  }

  std::string sentence() const { return missing_.sentence(); }

 private:
  const Project& listed_;
  CastNames names_;
  Missing missing_;
};

// Whether settings are pasted with this column.
bool isSetting(const ActorColumn& column) {
  switch (column.group) {
    case ActorGroup::Place:
    case ActorGroup::Rotation:
    case ActorGroup::Other:
    case ActorGroup::Character:
      return false;
    default:
      return true;
  }
}

}  // namespace

std::string clipboardText(const Project& project, std::span<const int> actors) {
  Project part;
  part.characters = project.characters;
  part.masks = project.masks;
  part.crowds = project.crowds;
  std::vector<Actor> chosen;
  std::map<int, int> groups;  // new numbers: only the groups of these actors go along
  for (const int index : actors) {
    Actor actor = project.actors[static_cast<std::size_t>(index)];
    if (actor.group >= 0) {
      const auto [at, isNew] = groups.try_emplace(actor.group, static_cast<int>(groups.size()));
      if (isNew) part.groups.push_back(project.groups[static_cast<std::size_t>(actor.group)]);
      actor.group = at->second;
    }
    chosen.push_back(std::move(actor));
  }
  part.actors = ActorList(chosen);
  return placementJson(part, setNamesOf(part, {}));
}

Result<Pasted> pasteActors(Project& project, std::string_view text) {
  const auto listed = listedFrom(text);
  if (!listed) return tl::unexpected(listed.error());
  Project after = project;
  Translation translation(*listed, project, listed->actors.size());
  std::map<int, int> groups;  // the project's numbers of the listed ones
  std::vector<Actor> actors;
  for (std::size_t i = 0; i < listed->actors.size(); ++i) {
    const Actor& read = listed->actors[i];
    Actor actor = read;
    actor.character = translation.character(i, read);
    actor.clip = translation.clip(i, read, read.clip, actor.character, 0);
    actor.fadeClip = translation.clip(i, read, read.fadeClip, actor.character, -1);
    actor.mask = translation.mask(i, read);
    actor.crowd = translation.crowd(read, chosenCrowd(project));
    if (read.group >= 0 && !groups.contains(read.group)) {
      const std::string& name = listed->groups[static_cast<std::size_t>(read.group)];
      const auto at = std::ranges::find(after.groups, name);
      int group = static_cast<int>(at - after.groups.begin());
      if (at == after.groups.end()) {
        const auto added = addGroup(after, name, {});
        if (!added) return tl::unexpected(added.error());
        group = *added;
      }
      groups.emplace(read.group, group);
    }
    if (read.group >= 0) actor.group = groups.at(read.group);
    actors.push_back(std::move(actor));
  }
  auto appended = appendActors(after, std::move(actors));
  if (!appended) return tl::unexpected(appended.error());
  project = std::move(after);
  return Pasted{std::move(*appended), translation.sentence()};
}

Result<Pasted> pasteSettings(Project& project, std::span<const int> actors, std::string_view text) {
  const auto listed = listedFrom(text);
  if (!listed) return tl::unexpected(listed.error());
  Translation translation(*listed, project, actors.size());
  for (std::size_t i = 0; i < actors.size(); ++i) {
    const auto at = static_cast<std::size_t>(actors[i]);
    const Actor& read = listed->actors[i % listed->actors.size()];
    const Actor before = project.actors[at];
    Actor actor = before;
    for (const ActorColumn& column : actorColumns()) {
      if (isSetting(column)) column.set(actor, column.get(read));
    }
    actor.clip = translation.clip(i, read, read.clip, before.character, before.clip);
    actor.fadeClip = translation.clip(i, read, read.fadeClip, before.character, before.fadeClip);
    actor.mask = translation.mask(i, read);
    actor.morphs = read.morphs;
    actor.commands = read.commands;
    project.actors.set(at, actor);
  }
  return Pasted{{actors.begin(), actors.end()}, translation.sentence()};
}

}  // namespace ck

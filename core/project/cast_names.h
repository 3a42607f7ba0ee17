#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/project/actor_columns.h"
#include "core/project/project.h"

namespace ck {

// The names by which other files mean characters, clips, masks, groups and crowds of a project: the
// titles that the artist gave, which exported sets have, too. No name is empty and none is in its
// list twice: an entry without a name is "unnamed", and "Walk" that is there again "Walk (2)". A
// project always gives the same names.
class CastNames {
 public:
  explicit CastNames(const Project& project);

  // The names that a column for which isReference() holds chooses from, for actors of a
  // character.
  std::span<const std::string> names(ActorKind kind, int character) const;
  // The value with a name, -1 if there is none; of a crowd that is not there, the one that is
  // edited. Clips are found by their title first, else by their
  // name in the rig's file.
  int find(ActorKind kind, int character, std::string_view name) const;
  // A sentence that says that there is no such name, and which there are.
  std::string missing(ActorKind kind, int character, std::string_view name) const;

 private:
  struct List {
    std::vector<std::string> names;
    std::map<std::string, int, std::less<>> numbers;
  };
  static List listOf(const std::vector<std::string>& wanted);
  const List& list(ActorKind kind, int character) const;

  List characters_;
  List masks_;
  List groups_;
  List crowds_;
  int chosenCrowd_;
  std::vector<List> clips_;  // by character; a variant's is empty
  std::vector<int> bases_;   // baseOf()
};

}  // namespace ck

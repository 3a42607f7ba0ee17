#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/json_fields.h"
#include "core/project/actor_columns.h"
#include "core/project/project.h"

namespace ck {

inline constexpr int kMostActors = 1'000'000;
// The key of Actor::commands, as texts of commandsText().
inline constexpr const char* kActorCommands = "commands";
inline constexpr std::size_t kMostGroups = 10'000;

// The actors of a project as the object "actors" of its file, indented for its place there: one
// line per column.
std::string actorsToJson(const ActorList& actors,
                         std::span<const ActorColumn> columns = actorColumns());

// A JSON object that ends with this object as its key "actors".
std::string textWithActors(const JsonDraft& draft, const ActorList& actors,
                           std::span<const ActorColumn> columns = actorColumns());

// Reads that object. The characters, clips, masks and groups of `project` must have been read. A
// list of the actors can be made when the document is gone, so that a large crowd is not in memory
// three times.
std::vector<Actor> readActors(JsonFields fields, const Project& project,
                              std::span<const ActorColumn> columns = actorColumns());

// Counts the bytes of the morph weights that actors have of their own, so that a short text with
// long names cannot take more memory than there is. A list that actors share counts once.
class MorphBytes {
 public:
  static constexpr std::size_t kMost = std::size_t{1} << 30;

  void add(std::span<const MorphWeight> morphs);
  // Fails with LimitExceeded, with the bytes that are requested and the limit.
  Result<void> check() const;

 private:
  std::size_t bytes_ = 0;
};

// Reads or writes the key "masks", the list that Actor::mask indexes.
void describeMasks(JsonFields& fields, std::vector<JointMask>& masks);

// Reads or writes the key "groups", the names that Actor::group indexes. Reading refuses an empty
// name and one that is there twice.
void describeGroups(JsonFields& fields, std::vector<std::string>& groups);

}  // namespace ck

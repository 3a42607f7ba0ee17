#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ck {

// Something that is wrong with files of a folder of sets although each file may be sound.
struct SetFinding {
  enum class Kind {
    Mixed,        // files of one set, or sets of one cast, are of different exports
    Stale,        // files show an older bake than the rest of their set
    Interrupted,  // an export was killed; the next one puts the old files back
  };
  Kind kind = Kind::Mixed;
  std::string set;      // its name; empty for Interrupted
  std::string what;     // the other set, the target or the format; empty for Interrupted
  std::string message;  // a sentence with what to do
};

// "mixed", "stale", "interrupted".
std::string_view setFindingName(SetFinding::Kind kind);

// Compares the set ids of all files in `folder` that state one: sidecars, containers and actors.
// Sidecars that cannot be read are left out, because their reader refuses them. Changes nothing.
std::vector<SetFinding> setFindings(const std::filesystem::path& folder);

}  // namespace ck

#include "app/commands/read_back.h"

#include "core/export/atlas_folder.h"

namespace ck::cli {

Result<std::vector<SetCheck>> readBack(const std::filesystem::path& folder, const std::string& name,
                                       const Atlas& atlas, const ExportSettings& wanted) {
  std::vector<SetCheck> checks;
  if (wanted.kinds == ExportKinds{ExportKind::Json}) return checks;
  const auto found = readAtlasFolder(folder, {.ownFiles = true});
  if (!found) return tl::unexpected(found.error());
  for (const FoundAtlas& set : *found) {
    if (set.name != name) continue;
    const bool sameEvents =
        !wanted.kinds.contains(ExportKind::Json) || set.clipEvents == wanted.clipEvents;
    checks.push_back({set.name, set.kind, set.atlas == atlas && sameEvents});
  }
  return checks;
}

}  // namespace ck::cli

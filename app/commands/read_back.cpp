#include "app/commands/read_back.h"

#include "core/system/files.h"

namespace ck::cli {

Result<std::vector<SetCheck>> readBack(const std::filesystem::path& folder, const std::string& name,
                                       const ExportedSet& written) {
  std::vector<SetCheck> checks;
  bool allDescribed = true;
  for (const ExportedFile& file : written.files) {
    const auto hash = hashOfFile(folder / pathFromText(file.name), file.bytes);
    if (!hash) return tl::unexpected(hash.error());
    const bool same = hashText(*hash) == file.xxh3;
    if (file.kind == ExportKind::Json) {
      allDescribed = same;
    } else {
      checks.push_back({name, file.kind, same});
    }
  }
  for (SetCheck& check : checks) check.same = check.same && allDescribed;
  return checks;
}

}  // namespace ck::cli

#include "core/export/set_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>

#include "core/base/json_fields.h"
#include "core/container/atlas_file.h"
#include "core/export/export_format.h"
#include "core/export/writer/set_folder.h"
#include "core/system/files.h"

namespace ck {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLargestText = std::uint64_t{256} << 20;
constexpr std::size_t kMostEntries = 100'000;
constexpr std::string_view kActorsEnding = ".actors.json";

// The statements of a text about its export.
struct StatedExport {
  std::string setId;
  std::vector<std::string> cast;
  std::vector<std::string> stale;  // targets and formats
};

std::optional<StatedExport> statedIn(const fs::path& file) {
  const auto bytes = readFile(file, kLargestText);
  if (!bytes) return {};
  const auto document =
      JsonDocument::parse({reinterpret_cast<const char*>(bytes->data()), bytes->size()});
  if (!document) return {};
  std::optional<Error> problem;
  JsonFields root(document->root(), "", problem);
  StatedExport stated;
  root.text("setId", stated.setId);
  root.texts("cast", stated.cast, kMostEntries, "is not a list of names");
  root.list("stale", stated.stale, kMostEntries,
            [](JsonFields& entry, std::string& kind) { entry.text("kind", kind); });
  return problem ? std::nullopt : std::optional(stated);
}

// By the name of the set.
std::map<std::string, StatedExport> statedInFolder(const fs::path& folder,
                                                   std::string_view ending) {
  std::map<std::string, StatedExport> all;
  std::error_code problem;
  for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end;
       entry.increment(problem)) {
    const std::string name = pathText(entry->path().filename());
    if (!name.ends_with(ending) || name.size() == ending.size()) continue;
    if (auto stated = statedIn(entry->path())) {
      all.emplace(name.substr(0, name.size() - ending.size()), std::move(*stated));
    }
  }
  return all;
}

SetFinding mixed(const std::string& set, const std::string& other) {
  return {SetFinding::Kind::Mixed, set, other,
          fmt::format("{} and {} are of different exports, so at least one export was interrupted "
                      "or files were copied apart; export the set again",
                      fileNameOf(set, ExportKind::Json), other)};
}

SetFinding stale(const std::string& set, const std::string& what) {
  return {SetFinding::Kind::Stale, set, what,
          fmt::format("{}: '{}' shows an older bake and could not be written anew; export it "
                      "again, or remove it with --only",
                      set, what)};
}

bool differ(const std::string& a, const std::string& b) {
  return !a.empty() && !b.empty() && a != b;
}

}  // namespace

std::string_view setFindingName(SetFinding::Kind kind) {
  constexpr std::string_view kNames[] = {"mixed", "stale", "interrupted"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::vector<SetFinding> setFindings(const fs::path& folder) {
  const auto sidecars = statedInFolder(folder, exportFormat(ExportKind::Json).ending);
  const auto actors = statedInFolder(folder, kActorsEnding);
  std::vector<SetFinding> findings;
  for (const auto& [name, stated] : sidecars) {
    const std::string container = fileNameOf(name, ExportKind::Ckatlas);
    const auto inside = setIdOfAtlasFile(folder / pathFromText(container));
    if (differ(stated.setId, inside)) findings.push_back(mixed(name, container));
    for (const std::string& other : stated.cast) {
      const auto sibling = sidecars.find(other);
      if (sibling != sidecars.end() && differ(stated.setId, sibling->second.setId)) {
        findings.push_back(mixed(name, fileNameOf(other, ExportKind::Json)));
      }
    }
    for (const std::string& what : stated.stale) findings.push_back(stale(name, what));
    const auto scene = actors.find(name);
    if (scene != actors.end() && differ(stated.setId, scene->second.setId)) {
      findings.push_back(stale(name, "actors"));
    }
  }
  if (wasInterrupted(folder)) {
    findings.push_back({SetFinding::Kind::Interrupted,
                        {},
                        {},
                        fmt::format("{}: an export into this folder was interrupted; the next "
                                    "'kiln bake' or 'kiln export' into it puts the old files back",
                                    pathText(folder))});
  }
  return findings;
}

}  // namespace ck

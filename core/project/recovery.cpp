#include "core/project/recovery.h"

#include <algorithm>
#include <span>

#include "core/base/json_fields.h"
#include "core/project/project_json.h"
#include "core/system/files.h"

namespace ck {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProject = "work.crowd";
constexpr const char* kAbout = "about.json";
constexpr std::uint64_t kMostAbout = 1 << 20;
constexpr std::string_view kFormat = "crowdkiln-recovery";

Result<void> writeText(const fs::path& path, const std::string& text) {
  removeUnfinished(path);
  return writeFileAtomically(path, std::as_bytes(std::span(text)));
}

void describeAbout(JsonFields& fields, RecoveredWork& work) {
  std::string format(kFormat);
  fields.text("format", format);
  if (format != kFormat) fields.wrong("format", "is another one");
  fields.text("origin", work.origin);
  fields.text("title", work.title);
  fields.integer("savedAt", work.savedAt, 0, INT64_MAX);
}

std::optional<RecoveredWork> workIn(const fs::path& folder) {
  std::error_code failed;
  if (!fs::is_regular_file(folder / kProject, failed)) return std::nullopt;
  const auto bytes = readFile(folder / kAbout, kMostAbout);
  if (!bytes) return std::nullopt;
  const auto json = JsonDocument::parse(
      std::string_view(reinterpret_cast<const char*>(bytes->data()), bytes->size()));
  if (!json) return std::nullopt;
  std::optional<Error> problem;
  JsonFields fields(json->root(), "", problem);
  RecoveredWork work{folder, {}, {}, 0};
  describeAbout(fields, work);
  return problem ? std::nullopt : std::optional(work);
}

}  // namespace

Result<void> writeRecovery(const RecoveredWork& work, const Project& project) {
  std::error_code failed;
  fs::create_directories(work.folder, failed);
  if (failed) {
    const std::string name = pathText(work.folder);
    return fail(ErrorCode::CannotWrite, name + ": " + failed.message(), name);
  }
  if (auto ok = writeText(work.folder / kProject, projectToJson(project, work.folder)); !ok) {
    return ok;
  }
  JsonDraft draft;
  JsonFields fields(draft);
  RecoveredWork about = work;
  describeAbout(fields, about);
  return writeText(work.folder / kAbout, draft.longText());
}

std::vector<RecoveredWork> listRecoveries(const fs::path& root) {
  std::vector<RecoveredWork> all;
  std::error_code failed;
  for (auto at = fs::directory_iterator(root, failed); !failed && at != fs::directory_iterator();
       at.increment(failed)) {
    if (auto work = workIn(at->path())) all.push_back(std::move(*work));
  }
  std::ranges::sort(all, std::ranges::greater(), &RecoveredWork::savedAt);
  return all;
}

Result<Project> readRecovery(const RecoveredWork& work) {
  return readProjectFile(work.folder / kProject);
}

void removeRecovery(const fs::path& folder) {
  std::error_code failed;
  for (const char* name : {kProject, kAbout}) {
    fs::remove(folder / name, failed);
    removeUnfinished(folder / name);
  }
  fs::remove(folder, failed);  // only if it is empty
}

}  // namespace ck

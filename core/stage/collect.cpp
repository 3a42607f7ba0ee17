#include "core/stage/collect.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/project/characters.h"
#include "core/project/project_json.h"
#include "core/project/source_files.h"
#include "core/stage/character_stage.h"
#include "core/system/files.h"

namespace ck {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepestProjects = 16;  // projects that are sources of projects

bool isThere(const fs::path& path) {
  std::error_code failed;
  return fs::exists(path, failed);
}

fs::path folderOf(const fs::path& file) {
  std::error_code failed;
  return fs::absolute(file, failed).lexically_normal().parent_path();
}

// Whether a folder is another one or lies in it.
bool isBelow(const fs::path& folder, const fs::path& other) {
  const auto [mine, theirs] = std::ranges::mismatch(folder, other);
  return theirs == other.end();
}

// Below it are the sources of a collected project.
fs::path sourcesOf(const fs::path& project) {
  return project.parent_path() / (project.stem() += "_sources");
}

// Where a copy lies until all are made.
fs::path besideOf(const Collection::Copy& copy) {
  fs::path beside = copy.to;
  return beside += ".collecting";
}

class Planner {
 public:
  Result<Collection> plan(const Project& project, const fs::path& projectFile,
                          const fs::path& folder, const std::string& name) {
    collection_.projectFile = folder / pathFromText(name + ".crowd");
    if (auto ok = add(project, projectFile, collection_.projectFile, 0); !ok) {
      return tl::unexpected(ok.error());
    }
    return std::move(collection_);
  }

 private:
  // Plans a project with all that it needs. Each project has folders of its own.
  Result<void> add(Project project, const fs::path& from, const fs::path& to, int depth) {
    if (depth > kDeepestProjects) {
      return fail(ErrorCode::LimitExceeded,
                  fmt::format("{}: projects refer to each other", pathText(from)));
    }
    if (!from.empty() && isThere(atlasBeside(from))) copy(atlasBeside(from), atlasBeside(to));
    std::map<std::string, std::string> moved;
    std::map<fs::path, fs::path> folders;  // old folder -> new folder
    const fs::path all = sourcesOf(to);
    for (const std::string& path : sourcePaths(project)) {
      const fs::path folder = folderOf(pathFromText(path));
      if (folder != all && isBelow(folder, all)) folders[folder] = folder;
    }
    for (const std::string& path : sourcePaths(project)) {
      const fs::path old = pathFromText(path);
      if (!isThere(old)) {
        return fail(ErrorCode::FileNotFound,
                    fmt::format("{}: there is no such file; locate it before collecting", path),
                    path);
      }
      const fs::path target = folderFor(folderOf(old), all, folders) / old.filename();
      moved[path] = pathText(target);
      if (isProjectPath(path)) {
        auto inner = readProjectFile(old);
        if (!inner) return tl::unexpected(inner.error());
        if (auto ok = add(std::move(*inner), old, target, depth + 1); !ok) return ok;
        continue;
      }
      copy(old, target);
      for (const fs::path& each : companionsOf(old)) {
        copy(each, target.parent_path() / each.lexically_relative(old.parent_path()));
      }
    }
    movePaths(project, [&moved](const std::string& path) {
      const auto found = moved.find(path);
      return found == moved.end() ? path : found->second;
    });
    std::erase_if(project.file.sourceHashes, [&moved](const auto& one) {
      return std::ranges::find(moved, one.first, [](const auto& m) { return m.second; }) ==
             moved.end();
    });
    collection_.projects.emplace_back(to, std::move(project));
    return {};
  }

  // Files of one folder stay together, because rigs name pictures by relative paths.
  static fs::path folderFor(const fs::path& old, const fs::path& all,
                            std::map<fs::path, fs::path>& folders) {
    fs::path& known = folders[old];
    if (!known.empty()) return known;
    const std::string name = safeFileName(pathText(old.filename()));
    for (int i = 1; known.empty(); ++i) {
      const fs::path wish = all / pathFromText(i == 1 ? name : fmt::format("{}-{}", name, i));
      const bool taken = std::ranges::any_of(
          folders, [&wish](const auto& one) { return isBelow(one.second, wish); });
      if (!taken) known = wish;
    }
    return known;
  }

  void copy(const fs::path& from, const fs::path& to) {
    const bool planned = std::ranges::any_of(
        collection_.copies, [&to](const Collection::Copy& one) { return one.to == to; });
    if (!planned) collection_.copies.push_back({from, to});
  }

  Collection collection_;
};

Result<void> cannotWrite(const fs::path& path, const std::error_code& failed) {
  const std::string name = pathText(path);
  return fail(ErrorCode::CannotWrite,
              fmt::format("{}: cannot be written: {}", name, failed.message()), name);
}

// Lists in `made` what it has begun to copy, also where it fails.
Result<void> copyBeside(const Collection& collection, std::vector<Collection::Copy>& made,
                        const JobContext& job) {
  float done = 0.0f;
  const fs::path folder = collection.projectFile.parent_path();
  for (const Collection::Copy& copy : collection.copies) {
    if (job.stopRequested()) return fail(ErrorCode::Cancelled, "collecting was stopped");
    if (auto ok = makeFoldersBelow(folder, copy.to.parent_path()); !ok) return ok;
    job.report(++done / static_cast<float>(collection.copies.size() + 1), "Copying");
    std::error_code failed;
    // Onto itself, where the project is collected into the folder in which it is.
    if (fs::equivalent(copy.from, copy.to, failed)) continue;
    made.push_back(copy);
    if (auto ok = copyFileAtomically(copy.from, besideOf(copy)); !ok) return ok;
  }
  return {};
}

}  // namespace

std::vector<fs::path> Collection::existing() const {
  std::vector<fs::path> all;
  for (const auto& [path, project] : projects) {
    if (isThere(path)) all.push_back(path);
  }
  for (const Copy& copy : copies) {
    if (isThere(copy.to)) all.push_back(copy.to);
  }
  return all;
}

std::uint64_t Collection::bytes() const {
  std::uint64_t all = 0;
  for (const Copy& copy : copies) {
    std::error_code failed;
    const auto size = fs::file_size(copy.from, failed);
    if (!failed) all += size;
  }
  return all;
}

Result<Collection> planCollection(const Project& project, const fs::path& projectFile,
                                  const fs::path& folder, const std::string& name) {
  std::error_code failed;
  return Planner().plan(project, projectFile, fs::absolute(folder, failed).lexically_normal(),
                        name);
}

Result<void> writeCollection(const Collection& collection, const JobContext& job) {
  // The copies that are beside their targets.
  std::vector<Collection::Copy> made;
  auto copied = copyBeside(collection, made, job);
  for (const Collection::Copy& copy : made) {
    std::error_code failed;
    if (copied) fs::rename(besideOf(copy), copy.to, failed);
    if (failed) copied = cannotWrite(copy.to, failed);
    if (!copied) fs::remove(besideOf(copy), failed);
  }
  if (!copied) return copied;
  const fs::path folder = collection.projectFile.parent_path();
  for (const auto& [path, project] : collection.projects) {
    if (auto ok = makeFoldersBelow(folder, path.parent_path()); !ok) return ok;
    if (auto ok = writeProjectFile(project, path, Links::Replace); !ok) return ok;
  }
  return {};
}

}  // namespace ck

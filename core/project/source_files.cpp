#include "core/project/source_files.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <set>
#include <span>

#include "core/base/files.h"

namespace ck {
namespace {

namespace fs = std::filesystem;

// Bounds of a search, so that a project in a home folder opens at once.
constexpr int kDeepest = 3;
constexpr std::size_t kMostEntries = 5'000;
constexpr std::size_t kMostHashed = 64;  // files of other names in a folder
constexpr int kMostFoldersUp = 4;
constexpr std::uint64_t kLargestRig = std::uint64_t{1} << 30;

// Endings of files that rigs name.
constexpr std::array<std::string_view, 17> kCompanionEndings = {
    ".png", ".jpg",  ".jpeg", ".tga", ".bmp", ".webp",  ".ktx2", ".ktx", ".dds",
    ".tif", ".tiff", ".gif",  ".psd", ".bin", ".glbin", ".hdr",  ".mtl"};

std::string lowered(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

std::string endingOf(const fs::path& path) {
  return lowered(pathText(path.extension()));
}

// As in the URIs of a glTF.
std::string percentEncoded(const std::string& name) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string text;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || std::string_view("-._~()").find(c) != std::string_view::npos) {
      text += c;
    } else {
      text += {'%', kHex[byte >> 4], kHex[byte & 15]};
    }
  }
  return text;
}

// Whether the text has this name, and not as a part of a longer one.
bool names(std::string_view text, const std::string& name) {
  const auto goesOn = [&text](std::size_t at) {
    const auto byte = at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
    return std::isalnum(byte) != 0 || byte == '_' || byte == '-';
  };
  for (std::size_t at = text.find(name); at != std::string_view::npos;
       at = text.find(name, at + 1)) {
    if ((at == 0 || !goesOn(at - 1)) && !goesOn(at + name.size())) return true;
  }
  return false;
}

// Calls `each` for the files in a folder and below it, as far as the bounds go.
template <class Each>
void forFilesBelow(const fs::path& folder, int deepest, Each each) {
  std::error_code failed;
  std::size_t count = 0;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied,
                                      failed);
  while (!failed && at != fs::recursive_directory_iterator() && count++ < kMostEntries) {
    if (at.depth() >= deepest) at.disable_recursion_pending();
    std::error_code unknown;
    if (at->is_regular_file(unknown)) each(at->path());
    at.increment(failed);
  }
}

bool isFile(const fs::path& path) {
  std::error_code failed;
  return fs::is_regular_file(path, failed);
}

class Search {
 public:
  Search(const Project& project, const fs::path& projectFile) : project_(project) {
    std::error_code failed;
    if (!projectFile.empty()) {
      beside_ = fs::absolute(projectFile, failed).lexically_normal().parent_path();
    }
    for (const std::string& path : sourcePaths(project)) {
      (isFile(pathFromText(path)) ? there_ : missing_).push_back(path);
    }
    for (const std::string& path : there_) folders_.insert(pathFromText(path).parent_path());
  }

  std::vector<FoundSource> run() {
    std::vector<FoundSource> all;
    // What is found tells a further folder.
    for (bool more = true; more;) {
      more = false;
      std::erase_if(missing_, [&](const std::string& was) {
        const auto found = find(was);
        if (!found) return false;
        all.push_back(*found);
        more = folders_.insert(pathFromText(found->now).parent_path()).second || more;
        return true;
      });
    }
    return all;
  }

 private:
  std::optional<FoundSource> find(const std::string& was) {
    const fs::path old = pathFromText(was);
    std::optional<FoundSource> byName;
    const auto consider = [&](const fs::path& path) {
      if (!isFile(path)) return false;
      FoundSource found{was, pathText(path), isSame(was, path)};
      if (!byName || found.isSame) byName = found;
      return found.isSame;
    };
    for (const fs::path& path : alongThePath(old)) {
      if (consider(path)) return byName;
    }
    for (const fs::path& folder : folders_) {
      if (consider(folder / old.filename())) return byName;
    }
    bool isFound = false;
    const auto below = [&](const fs::path& path) {
      isFound = isFound || (path.filename() == old.filename() && consider(path));
    };
    if (!beside_.empty()) forFilesBelow(beside_, kDeepest, below);
    if (isFound) return byName;
    if (auto renamed = byHash(was, old)) return renamed;
    return byName;
  }

  // The last components of the old path, under the project's folder and those above it.
  std::vector<fs::path> alongThePath(const fs::path& old) const {
    std::vector<fs::path> all;
    if (beside_.empty()) return all;
    std::vector<fs::path> parts(old.begin(), old.end());
    fs::path above = beside_;
    for (int up = 0; up <= kMostFoldersUp; ++up) {
      fs::path tail;
      for (std::size_t i = parts.size(); i-- > 1 && parts.size() - i <= 4;) {
        tail = tail.empty() ? parts[i] : parts[i] / tail;
        all.push_back(above / tail);
      }
      if (above == above.root_path()) break;
      above = above.parent_path();
    }
    return all;
  }

  std::optional<FoundSource> byHash(const std::string& was, const fs::path& old) {
    if (!project_.file.sourceHashes.contains(was)) return std::nullopt;
    std::set<fs::path> folders = folders_;
    if (!beside_.empty()) folders.insert(beside_);
    for (const fs::path& folder : folders) {
      std::optional<FoundSource> found;
      std::size_t hashed = 0;
      forFilesBelow(folder, 0, [&](const fs::path& path) {
        if (found || endingOf(path) != endingOf(old) || hashed++ >= kMostHashed) return;
        if (isSame(was, path)) found = FoundSource{was, pathText(path), true};
      });
      if (found) return found;
    }
    return std::nullopt;
  }

  bool isSame(const std::string& was, const fs::path& path) const {
    const auto known = project_.file.sourceHashes.find(was);
    if (known == project_.file.sourceHashes.end()) return false;
    const auto hash = hashOfSource(path);
    return hash && *hash == known->second;
  }

  const Project& project_;
  fs::path beside_;  // the project's folder
  std::vector<std::string> there_;
  std::vector<std::string> missing_;
  std::set<fs::path> folders_;  // of sources that are there
};

}  // namespace

std::vector<std::string> sourcePaths(const Project& project) {
  std::vector<std::string> all;
  const auto add = [&all](const std::string& path) {
    if (std::ranges::find(all, path) == all.end()) all.push_back(path);
  };
  for (const ProjectCharacter& character : project.characters) {
    for (const SourceFile& source : character.sources) add(source.path);
  }
  for (const Prop& prop : project.props) add(prop.source.path);
  return all;
}

void movePaths(Project& project, const std::function<std::string(const std::string&)>& moved) {
  for (ProjectCharacter& character : project.characters) {
    for (SourceFile& source : character.sources) source.path = moved(source.path);
  }
  for (Prop& prop : project.props) prop.source.path = moved(prop.source.path);
  auto hashes = std::exchange(project.file.sourceHashes, {});
  for (const auto& [path, hash] : hashes) project.file.sourceHashes[moved(path)] = hash;
}

std::vector<fs::path> companionsOf(const fs::path& rig) {
  std::vector<fs::path> all;
  const auto bytes = readFile(rig, kLargestRig);
  if (!bytes) return all;
  const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  // A shader of an MD5 is a picture without its ending.
  const bool byStem = endingOf(rig) == ".md5mesh";
  const fs::path folder = rig.has_parent_path() ? rig.parent_path() : fs::path(".");
  forFilesBelow(folder, kDeepest, [&](const fs::path& path) {
    if (std::ranges::find(kCompanionEndings, endingOf(path)) == kCompanionEndings.end()) return;
    const std::string name = pathText(byStem ? path.stem() : path.filename());
    if (names(text, name) || names(text, percentEncoded(name))) all.push_back(path);
  });
  std::ranges::sort(all);
  return all;
}

Result<std::uint64_t> hashOfSource(const fs::path& source) {
  const auto own = hashOfFile(source);
  if (!own || endingOf(source) != ".gltf") return own;
  std::string seals = hashText(*own);
  for (const fs::path& companion : companionsOf(source)) {
    const auto hash = hashOfFile(companion);
    seals += pathText(companion.filename()) + (hash ? hashText(*hash) : std::string());
  }
  return hashBytes(std::as_bytes(std::span(seals)));
}

std::vector<FoundSource> findSources(const Project& project, const fs::path& projectFile) {
  return Search(project, projectFile).run();
}

std::vector<FoundSource> findSourcesIn(const Project& project, const fs::path& folder) {
  std::vector<FoundSource> all;
  for (const std::string& was : sourcePaths(project)) {
    const fs::path old = pathFromText(was);
    const fs::path now = folder / old.filename();
    if (isFile(old) || !isFile(now)) continue;
    const auto known = project.file.sourceHashes.find(was);
    const auto hash = hashOfSource(now);
    const bool isSame = known != project.file.sourceHashes.end() && hash && *hash == known->second;
    all.push_back({was, pathText(now), isSame});
  }
  return all;
}

}  // namespace ck

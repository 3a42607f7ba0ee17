#include "core/project/source_files.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>

#include "core/system/files.h"

namespace ck {
namespace {

namespace fs = std::filesystem;

// Bounds of a search, so that a project in a home folder opens at once.
constexpr int kDeepest = 3;
constexpr std::size_t kMostEntries = 5'000;
constexpr std::size_t kMostHashed = 64;  // files of other names in a folder
constexpr int kMostFoldersUp = 4;

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

// Whether a character may be a part of the same name as the one beside it.
bool goesOn(std::string_view text, std::size_t at) {
  const auto byte = at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
  return std::isalnum(byte) != 0 || byte == '_' || byte == '-';
}

// Whether the text has this name, and not as a part of a longer one.
bool names(std::string_view text, const std::string& name) {
  for (std::size_t at = text.find(name); at != std::string_view::npos;
       at = text.find(name, at + 1)) {
    if ((at == 0 || !goesOn(text, at - 1)) && !goesOn(text, at + name.size())) return true;
  }
  return false;
}

// The companion ending that begins at a dot of the text, or nothing.
std::string_view endingAt(std::string_view text, std::size_t dot) {
  std::size_t end = dot + 1;
  while (end < text.size() && std::isalnum(static_cast<unsigned char>(text[end])) != 0) ++end;
  const std::string_view ending = text.substr(dot, end - dot);
  const std::string low = lowered(std::string(ending.substr(0, 8)));
  const bool known = std::ranges::find(kCompanionEndings, low) != kCompanionEndings.end();
  return known ? ending : std::string_view();
}

// The names of `asked` that the text has; all end as companions do. Reads the text only once.
std::set<std::string, std::less<>> namesIn(std::string_view text,
                                           const std::set<std::string, std::less<>>& asked) {
  std::set<std::size_t> lengths;
  for (const std::string& name : asked) lengths.insert(name.size());
  std::set<std::string, std::less<>> found;
  for (std::size_t dot = text.find('.'); dot != std::string_view::npos;
       dot = text.find('.', dot + 1)) {
    const std::string_view ending = endingAt(text, dot);
    const std::size_t end = dot + ending.size();
    if (ending.empty() || goesOn(text, end)) continue;
    for (const std::size_t length : lengths) {
      if (length > end) break;
      if (length < end && goesOn(text, end - length - 1)) continue;
      const auto name = asked.find(text.substr(end - length, length));
      if (name != asked.end()) found.insert(*name);
    }
  }
  return found;
}

// The part of a file that may name other files: of a binary glTF its JSON, else all.
std::vector<std::byte> namingPart(const fs::path& rig) {
  constexpr std::size_t kHeader = 20;
  const std::vector<std::byte> first = readBeginning(rig, kHeader);
  std::uint32_t length = 0;
  const bool isBinary = first.size() == kHeader && std::memcmp(first.data(), "glTF", 4) == 0;
  if (!isBinary) return readFile(rig, kLargestSource).value_or(std::vector<std::byte>());
  std::memcpy(&length, first.data() + 12, sizeof length);
  return readBeginning(rig, kHeader + std::min<std::size_t>(length, kLargestSource));
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

std::vector<fs::path> companionsIn(std::span<const std::byte> bytes, const fs::path& rig) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  // A shader of an MD5 is a picture without its ending.
  const bool byStem = endingOf(rig) == ".md5mesh";
  const fs::path folder = rig.has_parent_path() ? rig.parent_path() : fs::path(".");
  std::vector<fs::path> all;
  std::set<std::string, std::less<>> asked;
  forFilesBelow(folder, kDeepest, [&](const fs::path& path) {
    if (std::ranges::find(kCompanionEndings, endingOf(path)) == kCompanionEndings.end()) return;
    all.push_back(path);
    const std::string name = pathText(path.filename());
    if (!byStem) asked.insert({name, percentEncoded(name)});
  });
  const auto found = namesIn(text, asked);
  std::erase_if(all, [&](const fs::path& path) {
    const std::string name = pathText(byStem ? path.stem() : path.filename());
    const std::string encoded = percentEncoded(name);
    return byStem ? !names(text, name) && !names(text, encoded)
                  : !found.contains(name) && !found.contains(encoded);
  });
  std::ranges::sort(all);
  return all;
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
    for (const std::string& path : there_) {
      folders_.insert(pathFromText(path).parent_path());
      taken_.insert(pathFromText(path).lexically_normal());
    }
  }

  std::vector<FoundSource> run() {
    // Each found file adds its folder. Matches by name alone wait until no hash matches.
    while (true) {
      const auto before = folders_.size();
      take([this](const std::string& was) { return find(was, true); });
      if (folders_.size() > before) continue;
      take([this](const std::string& was) { return find(was, false); });
      if (folders_.size() == before) return std::move(found_);
    }
  }

  std::vector<FoundSource> runIn(const fs::path& folder) {
    for (const bool byHash : {true, false}) {
      take([&](const std::string& was) -> std::optional<FoundSource> {
        const fs::path path = folder / pathFromText(was).filename();
        if (!isFree(path) || isSame(was, path) != byHash) return std::nullopt;
        if (!byHash && hashKnownOf(was)) return std::nullopt;
        return FoundSource{was, pathText(path), byHash};
      });
    }
    return std::move(found_);
  }

 private:
  template <class Find>
  void take(const Find& findOne) {
    std::erase_if(missing_, [&](const std::string& was) {
      const auto found = findOne(was);
      if (!found) return false;
      found_.push_back(*found);
      taken_.insert(pathFromText(found->now).lexically_normal());
      folders_.insert(pathFromText(found->now).parent_path());
      return true;
    });
  }

  // The file with the known hash, or else the first one of the name.
  std::optional<FoundSource> find(const std::string& was, bool byHash) {
    if (byHash && !hashKnownOf(was)) return std::nullopt;
    const fs::path old = pathFromText(was);
    std::optional<FoundSource> found;
    const auto consider = [&](const fs::path& path) {
      if (!found && isFree(path) && (!byHash || isSame(was, path))) {
        found = FoundSource{was, pathText(path), byHash};
      }
      return found.has_value();
    };
    for (const fs::path& path : alongThePath(old)) {
      if (consider(path)) return found;
    }
    for (const fs::path& folder : folders_) {
      if (consider(folder / old.filename())) return found;
    }
    const auto below = [&](const fs::path& path) {
      if (path.filename() == old.filename()) consider(path);
    };
    if (!beside_.empty()) forFilesBelow(beside_, kDeepest, below);
    return found || !byHash ? found : renamed(was, old);
  }

  // The last components of the old path, the most of them first, under the project's folder and
  // those above it.
  std::vector<fs::path> alongThePath(const fs::path& old) const {
    constexpr std::size_t kMostParts = 4;
    std::vector<fs::path> all;
    const std::vector<fs::path> parts(old.begin(), old.end());
    // The first part is the root.
    if (beside_.empty() || parts.size() < 2) return all;
    for (std::size_t count = std::min(kMostParts, parts.size() - 1); count > 0; --count) {
      fs::path tail;
      for (std::size_t i = parts.size() - count; i < parts.size(); ++i) tail /= parts[i];
      fs::path above = beside_;
      for (int up = 0; up <= kMostFoldersUp; ++up) {
        all.push_back(above / tail);
        if (above == above.root_path()) break;
        above = above.parent_path();
      }
    }
    return all;
  }

  std::optional<FoundSource> renamed(const std::string& was, const fs::path& old) {
    std::set<fs::path> folders = folders_;
    if (!beside_.empty()) folders.insert(beside_);
    for (const fs::path& folder : folders) {
      std::optional<FoundSource> found;
      std::size_t hashed = 0;
      forFilesBelow(folder, 0, [&](const fs::path& path) {
        if (found || endingOf(path) != endingOf(old) || !isFree(path)) return;
        if (hashed++ >= kMostHashed) return;
        if (isSame(was, path)) found = FoundSource{was, pathText(path), true};
      });
      if (found) return found;
    }
    return std::nullopt;
  }

  // Whether it is a file that is no source yet.
  bool isFree(const fs::path& path) const {
    return isFile(path) && !taken_.contains(path.lexically_normal());
  }

  std::optional<std::uint64_t> hashKnownOf(const std::string& was) const {
    const auto known = project_.file.sourceHashes.find(was);
    if (known == project_.file.sourceHashes.end()) return std::nullopt;
    return known->second;
  }

  bool isSame(const std::string& was, const fs::path& path) {
    const auto known = hashKnownOf(was);
    std::error_code failed;
    if (!known || fs::file_size(path, failed) > kLargestSource) return false;
    const auto [at, isNew] = hashes_.try_emplace(path);
    if (isNew) {
      const auto hash = hashOfSource(path);
      if (hash) at->second = *hash;
    }
    return at->second == known;
  }

  const Project& project_;
  fs::path beside_;  // the project's folder
  std::vector<std::string> there_;
  std::vector<std::string> missing_;
  std::vector<FoundSource> found_;
  std::set<fs::path> folders_;  // of sources that are there
  std::set<fs::path> taken_;    // files that are sources
  std::map<fs::path, std::optional<std::uint64_t>> hashes_;
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
  return companionsIn(namingPart(rig), rig);
}

std::vector<fs::path> filesReadWith(std::vector<fs::path> sources, const fs::path& folder) {
  std::error_code failed;
  const auto whole = [&failed](const fs::path& path) {
    return fs::weakly_canonical(fs::absolute(path, failed), failed);
  };
  const fs::path to = whole(folder);
  const std::size_t count = sources.size();
  for (std::size_t s = 0; s < count; ++s) {
    const fs::path around = whole(sources[s]).parent_path();
    if (std::ranges::mismatch(around, to).in1 != around.end()) continue;
    for (fs::path& companion : companionsOf(sources[s])) sources.push_back(std::move(companion));
  }
  return sources;
}

Result<std::uint64_t> hashOfSource(const fs::path& source, const std::stop_token& stop) {
  if (endingOf(source) != ".gltf") return hashOfFile(source, kLargestRig, stop);
  const auto bytes = readFile(source, kLargestRig);
  if (!bytes) return tl::unexpected(bytes.error());
  std::string seals = hashText(hashBytes(*bytes));
  for (const fs::path& companion : companionsIn(*bytes, source)) {
    const auto hash = hashOfFile(companion, kLargestRig, stop);
    if (stop.stop_requested()) return tl::unexpected(hash.error());
    seals += pathText(companion.filename()) + (hash ? hashText(*hash) : std::string());
  }
  return hashBytes(std::as_bytes(std::span(seals)));
}

std::vector<FoundSource> findSources(const Project& project, const fs::path& projectFile) {
  return Search(project, projectFile).run();
}

std::vector<FoundSource> findSourcesIn(const Project& project, const fs::path& folder) {
  return Search(project, {}).runIn(folder);
}

}  // namespace ck

#include "core/import/host/rig_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "core/system/files.h"

namespace ck {
namespace {

namespace fs = std::filesystem;

constexpr int kMostSearched = 10'000;
constexpr int kDeepestSearched = 3;

// The endings of files that rigs refer to: buffers, and pictures, whether they can be decoded or
// not. A reader that was taken over gets no document, key or setting that lies beside the rig.
constexpr std::string_view kEndings[] = {
    "bin", "buf",  "buffer", "dat", "glbin", "glbuf", "basis", "bmp", "dds", "exr", "gif",  "hdr",
    "jpe", "jpeg", "jpg",    "ktx", "ktx2",  "png",   "psd",   "svg", "tga", "tif", "tiff", "webp"};

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 'a' - 'A') : c;
  });
  return text;
}

bool isOfRigs(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return false;
  const std::string ending = lower(std::string(name.substr(dot + 1)));
  return std::ranges::find(kEndings, ending) != std::end(kEndings);
}

// Some exporters give buffers no ending.
bool hasNoEnding(std::string_view name) {
  return name.find('.') == std::string_view::npos;
}

bool isHidden(const fs::path& relative) {
  return std::ranges::any_of(relative, [](const fs::path& part) {
    return part != "." && part != ".." && part.string().starts_with(".");
  });
}

bool isInside(const fs::path& folder, const fs::path& file) {
  const auto differs = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
  return differs.first == folder.end();
}

// A file that is held without being open, so that its path and its bytes are those of one file
// whatever is put in its place meanwhile.
class HeldFile {
 public:
  explicit HeldFile(const fs::path& path) : descriptor_(::open(path.c_str(), O_PATH | O_CLOEXEC)) {}
  ~HeldFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  HeldFile(const HeldFile&) = delete;
  HeldFile& operator=(const HeldFile&) = delete;

  // The path without links; empty if there is no such file.
  fs::path realPath() const {
    std::error_code error;
    return descriptor_ < 0 ? fs::path() : fs::read_symlink(link(), error);
  }
  bool isRegular() const {
    struct stat facts = {};
    return ::fstat(descriptor_, &facts) == 0 && S_ISREG(facts.st_mode);
  }
  Result<int> open() const { return openToRead(link()); }

 private:
  fs::path link() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

  int descriptor_;
};

}  // namespace

Result<int> openToRead(const fs::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) {
    const bool isMissing = errno == ENOENT || errno == ENOTDIR;
    return fail(isMissing ? ErrorCode::FileNotFound : ErrorCode::FileUnreadable,
                std::strerror(errno));
  }
  struct stat facts = {};
  if (::fstat(file, &facts) == 0 && S_ISREG(facts.st_mode)) return file;
  ::close(file);
  return fail(ErrorCode::FileUnreadable, "it is not a regular file");
}

RigFolder::RigFolder(const fs::path& rigFile) {
  std::error_code error;
  const fs::path parent = rigFile.has_parent_path() ? rigFile.parent_path() : fs::path(".");
  folders_ = {fs::canonical(parent, error)};
  const fs::path target = fs::canonical(rigFile, error).parent_path();
  if (!error && target != folders_.front()) folders_.push_back(target);
}

Result<int> RigFolder::open(std::string_view reference) const {
  const auto refuse = [](const char* why) { return fail(ErrorCode::FileUnreadable, why); };
  if (reference.empty() || reference.find('\0') != std::string_view::npos) {
    return refuse("this is not a file name");
  }
  std::string text(reference);
  std::replace(text.begin(), text.end(), '\\', '/');
  if (text.find(':') != std::string::npos) return refuse("it names a drive or another scheme");
  const fs::path relative = pathFromText(text);
  if (relative.is_absolute()) return refuse("it is an absolute path");
  for (const fs::path& part : relative) {
    if (part == "..") return refuse("it lies outside the folder of the rig file");
  }
  if (isHidden(relative)) return refuse("it is hidden");
  for (const fs::path& folder : folders_) {
    const HeldFile held(folder / relative);
    const fs::path real = held.realPath();
    if (real.empty()) continue;
    const auto holds = [&real](const fs::path& each) { return isInside(each, real); };
    if (std::ranges::none_of(folders_, holds)) {
      return refuse("it leads out of the folder of the rig file");
    }
    const auto shows = [&](const fs::path& each) {
      return holds(each) && !isHidden(real.lexically_relative(each));
    };
    if (std::ranges::none_of(folders_, shows)) return refuse("it leads to a hidden file");
    if (!held.isRegular()) return refuse("it is not a regular file");
    const std::string name = pathText(real.filename());
    if (!isOfRigs(name) && !hasNoEnding(name)) {
      return refuse("its ending is none of a buffer or a picture");
    }
    return held.open();
  }
  return fail(ErrorCode::FileNotFound, {});
}

std::optional<std::string> RigFolder::findByName(std::string_view name) const {
  if (!isOfRigs(name)) return std::nullopt;
  const std::string wanted = lower(std::string(name));
  for (const fs::path& folder : folders_) {
    std::optional<std::pair<int, std::string>> best;  // depth and path
    std::error_code error;
    int seen = 0;
    fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied,
                                           error);
    for (; !error && entry != fs::recursive_directory_iterator() && ++seen <= kMostSearched;
         entry.increment(error)) {
      const std::string found = pathText(entry->path().filename());
      const bool isHidden = found.starts_with(".");
      if (isHidden || entry.depth() >= kDeepestSearched) entry.disable_recursion_pending();
      if (isHidden || lower(found) != wanted) continue;
      std::error_code ignored;
      if (!entry->is_regular_file(ignored)) continue;
      std::pair at(entry.depth(), pathText(entry->path().lexically_relative(folder)));
      if (!best || at < *best) best = std::move(at);
    }
    if (best) return best->second;
  }
  return std::nullopt;
}

}  // namespace ck

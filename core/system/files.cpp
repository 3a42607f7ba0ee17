#include "core/system/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>
#include <utility>

#include "core/base/utf8.h"

namespace ck {
namespace {

namespace fs = std::filesystem;

// Closes a file descriptor at the end of a scope.
class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  Descriptor(Descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  int get() const { return value_; }
  int release() { return std::exchange(value_, -1); }

 private:
  int value_;
};

std::string reason(int code) {
  return std::strerror(code);
}

// The ending of temporary files behind the name of their target, before six letters more. No one
// else names files so.
constexpr std::string_view kUnfinished = ".unfinished-";

// A new temporary file beside `target`, locked while it is open, so that removeUnfinished() knows
// that it is in use. Its name is put into `name`.
int openUnfinished(const fs::path& target, std::string& name) {
  while (true) {
    name = target.string() + std::string(kUnfinished) + "XXXXXX";
    const int file = ::mkostemp(name.data(), O_CLOEXEC);
    if (file < 0) return file;
    ::flock(file, LOCK_EX);
    // Removed between its making and its lock.
    struct stat facts = {};
    if (::fstat(file, &facts) != 0 || facts.st_nlink > 0) return file;
    ::close(file);
  }
}

// A regular file that is open to be read, and its size.
Result<int> openRegular(const fs::path& path, std::uint64_t& size) {
  const std::string name = pathText(path);
  Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (file.get() < 0) {
    if (errno == ENOENT || errno == ENOTDIR) {
      return fail(ErrorCode::FileNotFound, fmt::format("{}: there is no such file", name), name);
    }
    return fail(ErrorCode::FileUnreadable, fmt::format("{}: {}", name, reason(errno)), name);
  }
  struct stat facts = {};
  if (::fstat(file.get(), &facts) != 0 || !S_ISREG(facts.st_mode)) {
    return fail(ErrorCode::FileUnreadable, fmt::format("{}: this is not a file", name), name);
  }
  size = static_cast<std::uint64_t>(facts.st_size);
  return file.release();
}

tl::unexpected<Error> tooLarge(const fs::path& path, std::uint64_t size, std::uint64_t limitBytes) {
  const std::string name = pathText(path);
  return fail(
      ErrorCode::LimitExceeded,
      fmt::format("{}: the file has {} bytes, more than the limit of {}", name, size, limitBytes),
      name);
}

// The permissions that new files do not get. It can only be read by setting it, which is done once:
// threads that write at the same time would read each other's.
mode_t maskOfProcess() {
  static const mode_t mask = [] {
    const mode_t now = ::umask(0);
    ::umask(now);
    return now;
  }();
  return mask;
}

constexpr std::size_t kPartBytes = std::size_t{1} << 20;  // of files that are read in parts

tl::unexpected<Error> cannotWrite(const fs::path& path, int code) {
  const std::string name = pathText(path);
  return fail(ErrorCode::CannotWrite, fmt::format("{}: cannot be written: {}", name, reason(code)),
              name);
}

// Fills `bytes` as far as the file goes; `done` is how far. 0, or the system's reason.
int readAll(int file, std::span<std::byte> bytes, std::size_t& done) {
  while (done < bytes.size()) {
    const ssize_t got = ::read(file, bytes.data() + done, bytes.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno;
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return 0;
}

// 0, or the system's reason.
int writeAll(int file, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(file, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return errno;
    bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
  return 0;
}

fs::path targetOf(const fs::path& path, Links links) {
  std::error_code ignored;
  return links == Links::Follow && fs::is_symlink(path, ignored)
             ? fs::weakly_canonical(path, ignored)
             : path;
}

// A temporary file that takes the name of its target when it is finished, and is removed otherwise.
class UnfinishedFile {
 public:
  static Result<UnfinishedFile> make(const fs::path& path, Links links) {
    UnfinishedFile made(path, targetOf(path, links));
    struct stat old = {};
    const bool isThere = ::lstat(made.target_.c_str(), &old) == 0 && !S_ISLNK(old.st_mode);
    if (isThere && !S_ISREG(old.st_mode)) {
      const std::string name = pathText(path);
      return fail(ErrorCode::CannotWrite, fmt::format("{}: this is not a file", name), name);
    }
    made.file_ = Descriptor(openUnfinished(made.target_, made.temporary_));
    if (made.file_.get() < 0) {
      made.temporary_.clear();
      return made.cannot(errno);
    }
    const mode_t mode = isThere ? (old.st_mode & 0777) : (0666 & ~maskOfProcess());
    if (::fchmod(made.file_.get(), mode) != 0) return made.cannot(errno);
    return made;
  }
  ~UnfinishedFile() {
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
  }
  UnfinishedFile(UnfinishedFile&& other) noexcept
      : path_(std::move(other.path_)),
        target_(std::move(other.target_)),
        temporary_(std::exchange(other.temporary_, {})),
        file_(std::move(other.file_)) {}

  int descriptor() const { return file_.get(); }
  tl::unexpected<Error> cannot(int code) const { return cannotWrite(path_, code); }
  Result<void> finish() {
    if (::fsync(file_.get()) != 0) return cannot(errno);
    // The file is closed after it, so that its lock holds until it has its name.
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) return cannot(errno);
    temporary_.clear();
    return {};
  }

 private:
  UnfinishedFile(fs::path path, fs::path target)
      : path_(std::move(path)), target_(std::move(target)), file_(-1) {}

  fs::path path_;  // as it was given, for messages
  fs::path target_;
  std::string temporary_;
  Descriptor file_;
};

}  // namespace

Result<std::vector<std::byte>> readFile(const fs::path& path, std::uint64_t limitBytes) {
  const std::string name = pathText(path);
  std::uint64_t size = 0;
  const auto opened = openRegular(path, size);
  if (!opened) return tl::unexpected(opened.error());
  const Descriptor file(*opened);
  if (size > limitBytes) return tooLarge(path, size, limitBytes);
  std::vector<std::byte> bytes(size);
  std::size_t done = 0;
  if (const int code = readAll(file.get(), bytes, done)) {
    return fail(ErrorCode::FileUnreadable, fmt::format("{}: {}", name, reason(code)), name);
  }
  bytes.resize(done);
  return bytes;
}

std::vector<std::byte> readBeginning(const fs::path& path, std::size_t most) {
  std::uint64_t size = 0;
  const auto opened = openRegular(path, size);
  if (!opened) return {};
  const Descriptor file(*opened);
  std::vector<std::byte> bytes(std::min<std::uint64_t>(size, most));
  std::size_t done = 0;
  readAll(file.get(), bytes, done);
  bytes.resize(done);
  return bytes;
}

Result<void> writeFileAtomically(const fs::path& path, std::span<const std::byte> bytes,
                                 Links links) {
  auto file = UnfinishedFile::make(path, links);
  if (!file) return tl::unexpected(file.error());
  if (const int code = writeAll(file->descriptor(), bytes)) return file->cannot(code);
  return file->finish();
}

Result<void> copyFileAtomically(const fs::path& from, const fs::path& to) {
  std::uint64_t size = 0;
  const auto opened = openRegular(from, size);
  if (!opened) return tl::unexpected(opened.error());
  const Descriptor source(*opened);
  auto file = UnfinishedFile::make(to, Links::Replace);
  if (!file) return tl::unexpected(file.error());
  std::vector<std::byte> part(kPartBytes);
  while (true) {
    const ssize_t got = ::read(source.get(), part.data(), part.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      const std::string name = pathText(from);
      return fail(ErrorCode::FileUnreadable, fmt::format("{}: {}", name, reason(errno)), name);
    }
    if (got == 0) return file->finish();
    const auto bytes = std::span(part).first(static_cast<std::size_t>(got));
    if (const int code = writeAll(file->descriptor(), bytes)) return file->cannot(code);
  }
}

Result<void> writeNewFile(const fs::path& path, std::span<const std::byte> bytes) {
  const Descriptor file(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
  if (file.get() < 0) return cannotWrite(path, errno);
  if (const int code = writeAll(file.get(), bytes)) return cannotWrite(path, code);
  if (::fsync(file.get()) != 0) return cannotWrite(path, errno);
  return {};
}

Result<void> makeFoldersBelow(const fs::path& root, const fs::path& path) {
  std::error_code problem;
  fs::create_directories(root, problem);
  fs::path made = root;
  for (const fs::path& part : path.lexically_relative(root)) {
    made /= part;
    if (!problem && fs::is_symlink(made, problem)) {
      const std::string name = pathText(made);
      return fail(
          ErrorCode::CannotWrite,
          fmt::format("{}: this is a symbolic link, which is not followed; remove it", name), name);
    }
    problem.clear();
    fs::create_directory(made, problem);
    if (problem) return cannotWrite(made, problem.value());
  }
  if (problem) return cannotWrite(root, problem.value());
  return {};
}

void removeUnfinished(const fs::path& path, Links links) {
  const fs::path target = targetOf(path, links);
  const std::string prefix = target.filename().string() + std::string(kUnfinished);
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  std::error_code failed;
  for (auto at = fs::directory_iterator(folder, failed); !failed && at != fs::directory_iterator();
       at.increment(failed)) {
    const std::string name = at->path().filename().string();
    if (!name.starts_with(prefix) || name.size() != prefix.size() + 6) continue;
    const Descriptor file(::open(at->path().c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
    const bool inUse = file.get() < 0 || ::flock(file.get(), LOCK_EX | LOCK_NB) != 0;
    if (!inUse) ::unlink(at->path().c_str());
  }
}

std::uint64_t hashBytes(std::span<const std::byte> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

std::string hashText(std::uint64_t hash) {
  return fmt::format("{:016x}", hash);
}

std::optional<std::uint64_t> hashFromText(std::string_view text) {
  std::uint64_t hash = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), hash, 16);
  const bool whole = read.ec == std::errc() && read.ptr == text.data() + text.size();
  return whole && text.size() == 16 ? std::optional(hash) : std::nullopt;
}

Result<std::uint64_t> hashOfFile(const fs::path& path, std::uint64_t limitBytes,
                                 const std::stop_token& stop) {
  std::uint64_t size = 0;
  const auto opened = openRegular(path, size);
  if (!opened) return tl::unexpected(opened.error());
  const Descriptor file(*opened);
  if (size > limitBytes) return tooLarge(path, size, limitBytes);
  const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state(XXH3_createState(),
                                                                              XXH3_freeState);
  XXH3_64bits_reset(state.get());
  std::vector<std::byte> part(kPartBytes);
  std::uint64_t left = size;  // more than that is of a file that grows without end
  while (true) {
    if (stop.stop_requested()) return fail(ErrorCode::Cancelled, "the reading was stopped");
    const ssize_t got = ::read(file.get(), part.data(), std::min<std::uint64_t>(part.size(), left));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      const std::string name = pathText(path);
      return fail(ErrorCode::FileUnreadable, fmt::format("{}: {}", name, reason(errno)), name);
    }
    if (got == 0) return XXH3_64bits_digest(state.get());
    XXH3_64bits_update(state.get(), part.data(), static_cast<std::size_t>(got));
    left -= static_cast<std::uint64_t>(got);
  }
}

std::string pathText(const fs::path& path) {
  const std::u8string text = path.u8string();
  return std::string(text.begin(), text.end());
}

fs::path pathFromText(std::string_view utf8) {
  return fs::path(std::u8string(utf8.begin(), utf8.end()));
}

std::string safeFileName(std::string_view name) {
  constexpr std::size_t kLongest = 100;
  // Bytes that are not valid text cannot be stored in a sidecar.
  const bool unicode = isUtf8(name);
  std::string safe;
  for (const char c : name) {
    const unsigned char byte = static_cast<unsigned char>(c);
    const bool plain =
        (byte >= 0x80 && unicode) || std::isalnum(byte) != 0 || c == '-' || c == '_' || c == '.';
    safe += plain ? c : '_';
  }
  if (safe.size() > kLongest) {
    safe.resize(kLongest);
    // Do not cut inside a UTF-8 sequence.
    while (!safe.empty() && (static_cast<unsigned char>(safe.back()) & 0xC0) == 0x80)
      safe.pop_back();
    if (!safe.empty() && static_cast<unsigned char>(safe.back()) >= 0xC0) safe.pop_back();
  }
  while (!safe.empty() && safe.front() == '.') safe.erase(safe.begin());
  return safe.empty() ? "unnamed" : safe;
}

}  // namespace ck

#include "core/base/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <cerrno>
#include <cstring>

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
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return value_; }
  int release() { return std::exchange(value_, -1); }

 private:
  int value_;
};

std::string reason(int code) {
  return std::strerror(code);
}

}  // namespace

Result<std::vector<std::byte>> readFile(const fs::path& path, std::uint64_t limitBytes) {
  const std::string name = pathText(path);
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
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
  const std::uint64_t size = static_cast<std::uint64_t>(facts.st_size);
  if (size > limitBytes) {
    return fail(
        ErrorCode::LimitExceeded,
        fmt::format("{}: the file has {} bytes, more than the limit of {}", name, size, limitBytes),
        name);
  }
  std::vector<std::byte> bytes(size);
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got = ::read(file.get(), bytes.data() + done, bytes.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      return fail(ErrorCode::FileUnreadable, fmt::format("{}: {}", name, reason(errno)), name);
    }
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  bytes.resize(done);
  return bytes;
}

Result<void> writeFileAtomically(const fs::path& path, std::span<const std::byte> bytes) {
  const std::string name = pathText(path);
  const auto cannot = [&name](int code) {
    return fail(ErrorCode::CannotWrite,
                fmt::format("{}: cannot be written: {}", name, reason(code)), name);
  };
  std::error_code ignored;
  const fs::path target =
      fs::is_symlink(path, ignored) ? fs::weakly_canonical(path, ignored) : path;
  if (fs::exists(target, ignored) && !fs::is_regular_file(target, ignored)) {
    return fail(ErrorCode::CannotWrite, fmt::format("{}: this is not a file", name), name);
  }
  std::string temporary = target.string() + ".XXXXXX";
  Descriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
  if (file.get() < 0) return cannot(errno);
  const auto giveUp = [&](int code) {
    ::unlink(temporary.c_str());
    return cannot(code);
  };
  struct stat old = {};
  const mode_t mask = ::umask(0);
  ::umask(mask);
  const mode_t mode = ::stat(target.c_str(), &old) == 0 ? (old.st_mode & 0777) : (0666 & ~mask);
  if (::fchmod(file.get(), mode) != 0) return giveUp(errno);
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t put = ::write(file.get(), bytes.data() + done, bytes.size() - done);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return giveUp(errno);
    done += static_cast<std::size_t>(put);
  }
  if (::fsync(file.get()) != 0) return giveUp(errno);
  if (::close(file.release()) != 0) return giveUp(errno);
  if (::rename(temporary.c_str(), target.c_str()) != 0) return giveUp(errno);
  return {};
}

std::uint64_t hashBytes(std::span<const std::byte> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

std::string hashText(std::uint64_t hash) {
  return fmt::format("{:016x}", hash);
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

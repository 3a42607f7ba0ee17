#include "core/system/folder_handle.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <utility>

namespace ck {
namespace {

constexpr int kFolder = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

std::error_code lastError() {
  return {errno, std::generic_category()};
}

std::error_code resultOf(int returned) {
  return returned == 0 ? std::error_code() : lastError();
}

std::error_code writeAll(int file, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(file, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return lastError();
    bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
  return resultOf(::fsync(file));
}

}  // namespace

FolderHandle::~FolderHandle() {
  if (descriptor_ >= 0) ::close(descriptor_);
}
FolderHandle::FolderHandle(FolderHandle&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}
FolderHandle& FolderHandle::operator=(FolderHandle&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

FolderHandle FolderHandle::open(const std::filesystem::path& path, std::error_code& problem) {
  FolderHandle handle(::open(path.c_str(), kFolder));
  problem = handle.isOpen() ? std::error_code() : lastError();
  return handle;
}

FolderHandle FolderHandle::openFolder(const std::string& name, std::error_code& problem) const {
  FolderHandle handle(::openat(descriptor_, name.c_str(), kFolder | O_NOFOLLOW));
  problem = handle.isOpen() ? std::error_code() : lastError();
  return handle;
}

std::optional<struct stat> FolderHandle::facts(const std::string& name) const {
  struct stat found = {};
  if (::fstatat(descriptor_, name.c_str(), &found, AT_SYMLINK_NOFOLLOW) != 0) return {};
  return found;
}
std::optional<struct stat> FolderHandle::facts() const {
  struct stat found = {};
  if (::fstat(descriptor_, &found) != 0) return {};
  return found;
}

std::vector<std::string> FolderHandle::names() const {
  std::vector<std::string> all;
  // A stream of its own, because streams of duplicated descriptors share their position.
  const int again = ::openat(descriptor_, ".", kFolder);
  if (again < 0) return all;
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::fdopendir(again), ::closedir);
  if (!entries) {
    ::close(again);
    return all;
  }
  while (const dirent* entry = ::readdir(entries.get())) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") all.push_back(name);
  }
  std::ranges::sort(all);
  return all;
}

std::optional<std::string> FolderHandle::read(const std::string& name, std::size_t most) const {
  const int file =
      ::openat(descriptor_, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return {};
  struct stat found = {};
  std::optional<std::string> content;
  if (::fstat(file, &found) == 0 && S_ISREG(found.st_mode) && std::size_t(found.st_size) <= most) {
    std::string text(std::size_t(found.st_size), '\0');
    const ssize_t got = ::read(file, text.data(), text.size());
    if (got >= 0) content = text.substr(0, std::size_t(got));
  }
  ::close(file);
  return content;
}

std::error_code FolderHandle::create(const std::string& name,
                                     std::span<const std::byte> bytes) const {
  const int file = ::openat(descriptor_, name.c_str(),
                            O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file < 0) return lastError();
  const std::error_code problem = writeAll(file, bytes);
  ::close(file);
  if (problem) ::unlinkat(descriptor_, name.c_str(), 0);
  return problem;
}

std::error_code FolderHandle::createFolder(const std::string& name) const {
  return resultOf(::mkdirat(descriptor_, name.c_str(), 0700));
}

std::error_code FolderHandle::link(const std::string& name, const FolderHandle& to,
                                   const std::string& newName) const {
  return resultOf(::linkat(descriptor_, name.c_str(), to.descriptor_, newName.c_str(), 0));
}

std::error_code FolderHandle::rename(const std::string& name, const FolderHandle& to,
                                     const std::string& newName) const {
  return resultOf(::renameat(descriptor_, name.c_str(), to.descriptor_, newName.c_str()));
}

std::error_code FolderHandle::remove(const std::string& name) const {
  return resultOf(::unlinkat(descriptor_, name.c_str(), 0));
}

std::error_code FolderHandle::removeTree(const std::string& name) const {
  const auto found = facts(name);
  if (!found) return {};
  if (!S_ISDIR(found->st_mode)) return remove(name);
  std::error_code problem;
  const FolderHandle below = openFolder(name, problem);
  if (problem) return problem;
  for (const std::string& each : below.names()) {
    if (problem = below.removeTree(each); problem) return problem;
  }
  return resultOf(::unlinkat(descriptor_, name.c_str(), AT_REMOVEDIR));
}

void FolderHandle::flush() const {
  ::fsync(descriptor_);
}

}  // namespace ck

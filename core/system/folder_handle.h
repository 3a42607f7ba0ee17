#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <vector>

namespace ck {

// An open folder whose entries are named by single parts, so that no other program can lead an
// operation elsewhere by exchanging a folder for a symbolic link. No function follows a link that
// an entry is. An empty error code means success.
class FolderHandle {
 public:
  FolderHandle() = default;
  ~FolderHandle();
  FolderHandle(FolderHandle&& other) noexcept;
  FolderHandle& operator=(FolderHandle&& other) noexcept;

  // Opens the folder at `path`; links in `path` are followed. On failure the handle is closed and
  // `problem` has the system's reason.
  static FolderHandle open(const std::filesystem::path& path, std::error_code& problem);
  // Opens an entry that is a folder and no link.
  FolderHandle openFolder(const std::string& name, std::error_code& problem) const;

  bool isOpen() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }

  // The facts of an entry, or of the folder itself; nothing if it is missing.
  std::optional<struct stat> facts(const std::string& name) const;
  std::optional<struct stat> facts() const;
  // The names of all entries, sorted. Empty if the folder cannot be read.
  std::vector<std::string> names() const;

  // The content of a regular file of at most `most` bytes; nothing for anything else.
  std::optional<std::string> read(const std::string& name, std::size_t most) const;
  // Writes a new file with permissions 0600 and flushes it to disk. Fails where the name exists.
  std::error_code create(const std::string& name, std::span<const std::byte> bytes) const;
  std::error_code createFolder(const std::string& name) const;
  // A second name of a file, or of a link itself.
  std::error_code link(const std::string& name, const FolderHandle& to,
                       const std::string& newName) const;
  std::error_code rename(const std::string& name, const FolderHandle& to,
                         const std::string& newName) const;
  // Removes a file or a link.
  std::error_code remove(const std::string& name) const;
  // Removes an entry with everything below it. A missing entry is no error.
  std::error_code removeTree(const std::string& name) const;
  // Flushes the entries to disk.
  void flush() const;

 private:
  explicit FolderHandle(int descriptor) : descriptor_(descriptor) {}

  int descriptor_ = -1;
};

}  // namespace ck

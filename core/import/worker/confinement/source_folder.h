#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/import/host/file_requests.h"

namespace ck::worker {

// Size limit of a rig file and of each file next to it.
inline constexpr std::uint64_t kFileLimitBytes = 2'000'000'000;

// The files that the rig file refers to, as the host gives them (core/import/host/rig_folder.h).
class SourceFolder {
 public:
  using Ask = std::function<FileAnswer(FileRequest request, std::string_view name)>;
  explicit SourceFolder(Ask ask) : ask_(std::move(ask)) {}
  // For readers in the program of a test, which needs no host.
  explicit SourceFolder(const std::filesystem::path& rigFile);

  // Reads the file that a rig file refers to, if RigFolder::open() allows it. Errors: FileNotFound,
  // FileUnreadable, LimitExceeded; the message contains the reference.
  Result<std::vector<std::byte>> read(std::string_view reference);
  bool has(std::string_view reference) const;

  // As RigFolder::findByName(), for read().
  std::optional<std::string> findByName(std::string_view name) const;

 private:
  Ask ask_;
  int filesRead_ = 0;
};

// Decodes percent escapes (%41 -> A); malformed escapes are kept.
std::string percentDecoded(std::string_view text);

}  // namespace ck::worker

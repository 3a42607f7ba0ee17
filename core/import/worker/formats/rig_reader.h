#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "core/import/rig_format.h"
#include "core/import/worker/assembly/source_scene.h"
#include "core/import/worker/confinement/source_folder.h"

namespace ck::worker {

// Fraction in [0, 1] and a word for people.
using Progress = std::function<void(float fraction, std::string_view step)>;

// What readers read.
struct RigSource {
  std::span<const std::byte> bytes;  // of the rig file
  SourceFolder& folder;              // for the files that it names
  const Progress& progress;

  std::string_view text() const {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
};

// The first bytes of a rig file, to tell its format by.
struct RigHead {
  std::string_view text;   // at most 4,096 bytes
  std::string_view start;  // the same without byte order mark and leading blanks
  bool isNamedSo = false;  // the ending of the file is that of the format in question

  bool holds(std::string_view words) const { return text.find(words) != std::string_view::npos; }
};

// The reader of each format, in a source of its own:
//   looksLikeBvh  Whether a file begins like this format. The rows are asked in their order.
//   readBvh       Reads it. Sets everything of SourceScene but source.format and source.hash; the
//                 messages do not name the file. Errors: Unsupported, InvalidInput, LimitExceeded,
//                 ImportFailed.
#define CK_ROW(kind, ...)                    \
  bool looksLike##kind(const RigHead& head); \
  Result<SourceScene> read##kind(const RigSource& source);
CK_RIG_FORMATS(CK_ROW)
#undef CK_ROW

// The format of a file by its content; by its ending where the content does not tell. Nothing for
// files that cannot be read.
std::optional<RigKind> rigKindOf(std::span<const std::byte> bytes,
                                 const std::filesystem::path& file);

Result<SourceScene> readRig(RigKind kind, const RigSource& source);

}  // namespace ck::worker

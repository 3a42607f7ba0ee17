#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string_view>

#include "core/import/rig_format.h"
#include "core/import/worker/assembly/source_scene.h"
#include "core/import/worker/confinement/source_folder.h"

namespace ck::worker {

// Fraction in [0, 1], and a description for the user.
using Progress = std::function<void(float fraction, std::string_view step)>;

// The text without byte order mark and leading blanks.
inline std::string_view startOf(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  return text;
}

// The input of a reader.
struct RigSource {
  std::span<const std::byte> bytes;  // of the rig file
  SourceFolder& folder;              // for the files that the rig file refers to
  const Progress& progress;

  std::string_view text() const {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
};

// The beginning of a rig file, from which its format is recognised.
struct RigHead {
  std::string_view text;   // at most 4,096 bytes
  std::string_view start;  // startOf(text)
  bool isNamedSo = false;  // whether the file has the ending of the format in question

  bool holds(std::string_view words) const { return text.find(words) != std::string_view::npos; }
};

// The two functions of each format, in a source file of its own:
//
// looksLikeBvh: whether a file begins like this format. Formats are tried in the order of the rows.
//
// readBvh: reads the file. Sets all of SourceScene except source.format and source.hash. Messages
// do not name the file. Errors: Unsupported, InvalidInput, LimitExceeded, ImportFailed.
#define CK_ROW(kind, ...)                    \
  bool looksLike##kind(const RigHead& head); \
  Result<SourceScene> read##kind(const RigSource& source);
CK_RIG_FORMATS(CK_ROW)
#undef CK_ROW

// Loads the library that reads `file`, if its format needs one of its own. Comes before
// confineReader(), after which nothing can be loaded; looks at the first bytes of the file only.
void loadReaderOf(const std::filesystem::path& file);
// Loads kiln-assimp.so, for loadReaderOf() (assimp_library.h). Where that fails, readCollada() says
// so.
void loadAssimp();

// A rig file that is open: nothing can be opened after confineReader().
struct RigFile {
  std::filesystem::path path;  // the name
  int descriptor = -1;         // the content, which reading closes
  SourceFolder& folder;
};

// Reads a rig file of any supported format. The format is determined by the content, or by the
// ending if the content is ambiguous. Messages do not name the file. Errors: FileNotFound,
// FileUnreadable, Unsupported, InvalidInput, LimitExceeded, ImportFailed.
Result<Character> importFile(const RigFile& file, const Progress& progress);

}  // namespace ck::worker

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/system/folder_handle.h"

namespace ck {

// Tells a folder from a copy of it: copies, archives and checkouts have other values.
struct FolderIdentity {
  std::uint64_t inode = 0;
  // Nanoseconds since 1970 at which the folder was made; 0 where the file system does not keep it.
  std::uint64_t born = 0;
  bool operator==(const FolderIdentity&) const = default;
};
FolderIdentity identityOf(const FolderHandle& folder);

// One name that an export replaces.
struct JournalEntry {
  std::string name;         // of a file or folder directly in the folder of sets
  bool wasThere = false;    // before the export
  std::uint64_t inode = 0;  // of what takes its place; 0: nothing does
  bool operator==(const JournalEntry&) const = default;
};

// Written before the files of sets are replaced and removed afterwards: with it the files from
// before can be put back.
struct SetJournal {
  FolderIdentity folder = {};  // that holds the sets
  FolderIdentity work = {};    // the work folder of the export, which holds the journal
  std::vector<JournalEntry> entries = {};
  bool operator==(const SetJournal&) const = default;
};

inline constexpr std::size_t kLargestJournal = std::size_t{1} << 20;

// The text of a journal, sealed by a hash of its content and this machine's id.
std::string journalText(const SetJournal& journal);

// Parses a journal. Fails with InvalidInput where the text is damaged, has another seal, or names
// anything but entries directly in the folder: separators, zeros, leading dots, and names that are
// there twice are refused.
Result<SetJournal> journalFromText(std::string_view text);

}  // namespace ck

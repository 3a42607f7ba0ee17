#include "core/export/writer/set_journal.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "core/base/json_fields.h"
#include "core/base/utf8.h"
#include "core/export/writer/process_mark.h"
#include "core/system/files.h"

namespace ck {
namespace {

constexpr std::string_view kFormat = "crowdkiln-journal";
constexpr std::size_t kMostNames = 4096;
constexpr std::size_t kLongestName = 255;

void describeNumber(JsonFields& fields, const char* key, std::uint64_t& value) {
  std::string text = hashText(value);
  fields.text(key, text);
  if (const auto read = hashFromText(text)) {
    value = *read;
  } else {
    fields.wrong(key, "is not a number of 16 hex digits");
  }
}

void describeIdentity(JsonFields fields, FolderIdentity& identity) {
  describeNumber(fields, "inode", identity.inode);
  describeNumber(fields, "born", identity.born);
}

bool isEntryName(const std::string& name) {
  return !name.empty() && name.size() <= kLongestName && name[0] != '.' && isUtf8(name) &&
         name.find('/') == std::string::npos && name.find('\0') == std::string::npos;
}

void describe(JsonFields& fields, SetJournal& journal) {
  std::string format(kFormat);
  fields.text("format", format);
  if (format != kFormat) fields.wrong("format", "is another one");
  describeIdentity(fields.object("folder"), journal.folder);
  describeIdentity(fields.object("work"), journal.work);
  std::set<std::string> names;
  fields.list("entries", journal.entries, kMostNames, [&](JsonFields& each, JournalEntry& entry) {
    each.text("name", entry.name);
    each.flag("wasThere", entry.wasThere);
    describeNumber(each, "inode", entry.inode);
    if (!isEntryName(entry.name)) each.wrong("name", "cannot be the name of a file of a set");
    if (!names.insert(entry.name).second) each.wrong("name", "is there twice");
  });
}

std::string bodyText(SetJournal journal) {
  JsonDraft draft;
  JsonFields fields(draft);
  describe(fields, journal);
  return draft.shortText();
}

// The machine's id is no secret, but the sender of a folder does not know the id of the receiver.
std::string sealOf(const SetJournal& journal) {
  const std::string sealed = fmt::format("{:x}{}", markOfThisProcess().machine, bodyText(journal));
  return hashText(hashBytes(std::as_bytes(std::span(sealed))));
}

}  // namespace

FolderIdentity identityOf(const FolderHandle& folder) {
  struct statx found = {};
  if (::statx(folder.descriptor(), "", AT_EMPTY_PATH, STATX_INO | STATX_BTIME, &found) != 0) {
    return {};
  }
  constexpr std::uint64_t kNanoseconds = 1'000'000'000;
  FolderIdentity identity{.inode = found.stx_ino};
  if ((found.stx_mask & STATX_BTIME) != 0) {
    identity.born =
        static_cast<std::uint64_t>(found.stx_btime.tv_sec) * kNanoseconds + found.stx_btime.tv_nsec;
  }
  return identity;
}

std::string journalText(const SetJournal& journal) {
  SetJournal written = journal;
  JsonDraft draft;
  JsonFields fields(draft);
  describe(fields, written);
  fields.derived("seal", sealOf(journal));
  return draft.shortText();
}

Result<SetJournal> journalFromText(std::string_view text) {
  const auto document = JsonDocument::parse(text);
  if (!document) return fail(ErrorCode::InvalidInput, document.error().message);
  std::optional<Error> problem;
  JsonFields fields(document->root(), "", problem, JsonFields::Missing::IsWrong);
  SetJournal journal;
  describe(fields, journal);
  std::string seal;
  fields.text("seal", seal);
  if (problem) return fail(ErrorCode::InvalidInput, problem->message);
  if (seal == sealOf(journal)) return journal;
  return fail(ErrorCode::InvalidInput, "the journal has another seal");
}

}  // namespace ck

#include "core/import/worker/formats/rig_reader.h"

#include <algorithm>

namespace ck::worker {
namespace {

struct RigReader {
  bool (*looksLike)(const RigHead& head);
  Result<SourceScene> (*read)(const RigSource& source);
};

// Indexed by RigKind.
#define CK_ROW(kind, ...) {looksLike##kind, read##kind},
constexpr RigReader kReaders[] = {CK_RIG_FORMATS(CK_ROW)};
#undef CK_ROW

std::string_view withoutBlanks(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

}  // namespace

std::optional<RigKind> rigKindOf(std::span<const std::byte> bytes,
                                 const std::filesystem::path& file) {
  const RigFormat* named = rigFormatByEnding(file);
  RigHead head;
  head.text = {reinterpret_cast<const char*>(bytes.data()),
               std::min<std::size_t>(bytes.size(), 4'096)};
  head.start = withoutBlanks(head.text);
  for (const RigFormat& format : kRigFormats) {
    head.isNamedSo = named == &format;
    if (kReaders[static_cast<std::size_t>(format.kind)].looksLike(head)) return format.kind;
  }
  return named == nullptr ? std::nullopt : std::optional(named->kind);
}

Result<SourceScene> readRig(RigKind kind, const RigSource& source) {
  return kReaders[static_cast<std::size_t>(kind)].read(source);
}

}  // namespace ck::worker

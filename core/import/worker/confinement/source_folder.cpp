#include "core/import/worker/confinement/source_folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <utility>

#include "core/import/worker/text/names.h"

namespace ck::worker {
namespace {

constexpr int kMostFiles = 256;

}  // namespace

SourceFolder::SourceFolder(const std::filesystem::path& rigFile)
    : ask_([folder = RigFolder(rigFile)](FileRequest request, std::string_view name) {
        return answerTo(request, name, folder);
      }) {}

std::optional<std::string> SourceFolder::findByName(std::string_view name) const {
  std::string found = ask_(FileRequest::Find, name).text;
  return found.empty() ? std::nullopt : std::optional(std::move(found));
}

bool SourceFolder::has(std::string_view reference) const {
  const FileAnswer answer = ask_(FileRequest::Open, reference);
  return answer.descriptor >= 0 && ::close(answer.descriptor) == 0;
}

Result<std::vector<std::byte>> SourceFolder::read(std::string_view reference) {
  if (++filesRead_ > kMostFiles) {
    return fail(ErrorCode::LimitExceeded,
                fmt::format("the rig names more than {} other files", kMostFiles));
  }
  const std::string shown = cleanText(reference, 120);
  const FileAnswer answer = ask_(FileRequest::Open, reference);
  if (answer.descriptor < 0 && answer.code == ErrorCode::FileNotFound) {
    return fail(answer.code, fmt::format("'{}' is missing beside the rig file", shown));
  }
  const auto refuse = [&shown](const Error& why) {
    return fail(why.code, fmt::format("'{}' is not read: {}; put it beside the rig file", shown,
                                      cleanText(why.message)));
  };
  if (answer.descriptor < 0) return refuse({answer.code, answer.text});
  auto bytes = readAndClose(answer.descriptor, kFileLimitBytes);
  if (!bytes) return refuse(bytes.error());
  return bytes;
}

std::string percentDecoded(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned value = 0;
    if (text[i] == '%' && i + 2 < text.size()) {
      const char* first = text.data() + i + 1;
      const auto parsed = std::from_chars(first, first + 2, value, 16);
      if (parsed.ec == std::errc() && parsed.ptr == first + 2) {
        decoded += static_cast<char>(value);
        i += 2;
        continue;
      }
    }
    decoded += text[i];
  }
  return decoded;
}

}  // namespace ck::worker

#include "core/import/worker/text/names.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/utf8.h"

namespace ck::worker {

std::string cleanText(std::string_view text, std::size_t longest) {
  std::string clean;
  clean.reserve(std::min(text.size(), longest));
  while (!text.empty()) {
    const std::size_t length = utf8SequenceLength(text);
    const std::size_t taken = std::max<std::size_t>(length, 1);
    if (clean.size() + taken > longest) break;
    const unsigned char lead = static_cast<unsigned char>(text[0]);
    // 0xC2 0x80..0x9F are control characters as well.
    const bool control =
        lead < 0x20 || lead == 0x7F ||
        (length == 2 && lead == 0xC2 && static_cast<unsigned char>(text[1]) < 0xA0);
    if (length == 0) {
      clean += '?';
    } else if (control) {
      clean += ' ';
    } else {
      clean += text.substr(0, length);
    }
    text.remove_prefix(taken);
  }
  return clean;
}

void warn(Notes& notes, const char* code, std::string message) {
  notes.push_back({Note::Level::Warning, code, std::move(message)});
}
void inform(Notes& notes, const char* code, std::string message) {
  notes.push_back({Note::Level::Info, code, std::move(message)});
}

std::string UniqueNames::take(std::string_view wanted, std::string_view fallback) {
  std::string name = cleanText(wanted);
  if (name.find_first_not_of(' ') == std::string::npos) name = cleanText(fallback);
  if (used_.insert(name).second) return name;
  ++renamed_;
  int& number = next_.try_emplace(name, 2).first->second;
  while (true) {
    std::string candidate = fmt::format("{} ({})", name, number++);
    if (used_.insert(candidate).second) return candidate;
  }
}

}  // namespace ck::worker

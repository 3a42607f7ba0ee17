#include "app/options/listed_names.h"

namespace ck::cli {

std::vector<std::string> listed(const std::string& text) {
  std::vector<std::string> names(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool isEscaped = text.compare(i, 2, "\\,") == 0;
    if (text[i] == ',') {
      names.emplace_back();
    } else {
      i += isEscaped ? 1 : 0;
      names.back() += text[i];
    }
  }
  // Text without any name is one that there is not.
  if (text.find_first_not_of(',') != std::string::npos) std::erase(names, std::string());
  return names;
}

std::string asListed(const std::string& name) {
  std::string text;
  for (const char c : name) text += c == ',' ? std::string("\\,") : std::string(1, c);
  return text;
}

}  // namespace ck::cli

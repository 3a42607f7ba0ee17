#include "core/import/rig_format.h"

#include <algorithm>
#include <vector>

#include "core/base/words.h"
#include "core/system/files.h"

namespace ck {

const RigFormat* rigFormatByEnding(const std::filesystem::path& file) {
  std::string ending = pathText(file.extension());
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  for (const RigFormat& format : kRigFormats) {
    if (ending.size() > 1 && ending.substr(1) == format.ending) return &format;
  }
  return nullptr;
}

std::string rigFormatNames() {
  std::vector<std::string_view> names;
  for (const RigFormat& format : kRigFormats) {
    if (std::find(names.begin(), names.end(), format.name) == names.end()) {
      names.push_back(format.name);
    }
  }
  return inWords(names, "or");
}

}  // namespace ck

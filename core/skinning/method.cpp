#include "core/skinning/method.h"

#include <fmt/format.h>

#include <vector>

#include "core/base/words.h"

namespace ck {

std::optional<Method> methodFromName(std::string_view name) {
  for (const MethodInfo& info : kMethods) {
    if (info.name == name) return info.method;
  }
  return std::nullopt;
}

std::string methodsObeying(bool MethodOptions::*option, std::string_view MethodInfo::*word) {
  std::vector<std::string_view> with;
  std::vector<std::string_view> without;
  for (const MethodInfo& info : kMethods)
    (info.obeys.*option ? with : without).push_back(info.*word);
  if (without.size() == 1) return fmt::format("all methods but {}", without.front());
  return fmt::format("the method{} {}", with.size() == 1 ? "" : "s", inWords(with));
}

}  // namespace ck

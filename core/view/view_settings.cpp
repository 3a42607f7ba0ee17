#include "core/view/view_settings.h"

#include "core/view/names.h"

namespace ck {
namespace {

constexpr std::string_view kShadows[] = {"auto", "off", "soft", "cascades"};

}  // namespace

std::string_view shadowsName(Shadows shadows) {
  return nameOf(kShadows, shadows);
}

std::optional<Shadows> shadowsFromName(std::string_view name) {
  return valueNamed<Shadows>(kShadows, name);
}

}  // namespace ck

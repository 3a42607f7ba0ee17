#include "core/bake/bake_settings.h"

namespace ck {

std::string_view seamChoiceName(SeamChoice choice) {
  switch (choice) {
    case SeamChoice::Auto:
      return "auto";
    case SeamChoice::Inclusive:
      return "inclusive";
    case SeamChoice::Exclusive:
      return "exclusive";
    case SeamChoice::None:
      return "none";
  }
  return {};
}

}  // namespace ck

#include "core/base/version.h"

namespace ck {

const char* version() {
  return CK_VERSION;
}

}  // namespace ck

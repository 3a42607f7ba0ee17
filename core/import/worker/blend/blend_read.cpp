#include "core/import/worker/blend/blend_read.h"

namespace ck::worker {

bool looksLikeBlend(const RigHead& head) {
  return head.text.starts_with("BLENDER");
}

Result<SourceScene> readBlend(const RigSource&) {
  return fail(ErrorCode::InvalidInput,
              "it does not begin like a file of Blender; it may be damaged, so save it again");
}

}  // namespace ck::worker

#include "render/references.h"

#if __has_include("render/reference/book_timing_skinner.h")
#include "render/reference/book_timing_skinner.h"
#define CK_REFERENCES bookTimingMethod()
#else
#define CK_REFERENCES
#endif

namespace ck::render {

const std::vector<ReferencePtr>& comparedReferences() {
  static const std::vector<ReferencePtr> references = {CK_REFERENCES};
  return references;
}

}  // namespace ck::render

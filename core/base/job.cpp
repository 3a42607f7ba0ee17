#include "core/base/job.h"

namespace ck {

JobContext JobContext::part(float from, float to) const {
  JobContext inner = *this;
  inner.report = [outer = report, from, to](float fraction, std::string_view step) {
    outer(from + (to - from) * fraction, step);
  };
  return inner;
}

}  // namespace ck

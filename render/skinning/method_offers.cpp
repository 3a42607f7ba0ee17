#include "render/skinning/method_offers.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "core/base/log.h"

namespace ck::render {

std::string whyNotDrawn(Method method, Encoding encoding) {
  const EncodingInfo& info = encodingInfo(encoding);
  if (!methodInfo(method).matricesOnly || storesMatrices(info)) return {};
  return fmt::format(
      "the method {} blends whole matrices, and the atlas is {}; bake with {}, or choose "
      "another method",
      methodName(method), info.name, encodingNames(storesMatrices, "or"));
}

std::string whyNotSampled(Method method, Sampling sampling) {
  bool MethodOptions::*option = sampling == Sampling::Compact ? &MethodOptions::compact
                                : sampling == Sampling::HardwareLinear
                                    ? &MethodOptions::hardwareLinear
                                    : nullptr;
  if (option == nullptr || methodInfo(method).obeys.*option) return {};
  return fmt::format("'{}' is a way of {}; choose that, or nearest or interpolated",
                     samplingName(sampling), methodsObeying(option));
}

void logRefusals(Encoding encoding) {
  for (const MethodInfo& info : kMethods) {
    const std::string refusal = whyNotDrawn(info.method, encoding);
    if (!refusal.empty()) log().debug(refusal);
  }
}

}  // namespace ck::render

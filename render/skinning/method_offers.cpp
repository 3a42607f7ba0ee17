#include "render/skinning/method_offers.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "core/base/log.h"

namespace ck::render {

std::string whyNotDrawn(Method method, Encoding encoding) {
  const EncodingInfo& info = encodingInfo(encoding);
  if (method != Method::Matrix || storesMatrices(info)) return {};
  return fmt::format(
      "the method matrix blends whole matrices, and the atlas is {}; bake with {}, or choose "
      "another method",
      info.name, encodingNames(storesMatrices, "or"));
}

std::string whyNotSampled(Method method, Sampling sampling) {
  if (sampling == Sampling::Compact && method != Method::Atlas) {
    return fmt::format("'{}' is a way of the method atlas; choose it, or nearest or interpolated",
                       samplingName(sampling));
  }
  if (sampling == Sampling::HardwareLinear && method != Method::Atlas && method != Method::Matrix) {
    return fmt::format(
        "'{}' is a way of the methods atlas and matrix; choose one of these, or nearest or "
        "interpolated",
        samplingName(sampling));
  }
  return {};
}

std::vector<MethodOffer> methodOffers(Encoding encoding) {
  std::vector<MethodOffer> offers;
  for (const Method method : {Method::Palette, Method::Atlas, Method::Matrix, Method::Live,
                              Method::Prepass, Method::Pool, Method::Cpu}) {
    offers.push_back({method, whyNotDrawn(method, encoding)});
  }
  return offers;
}

void logRefusals(Encoding encoding) {
  for (const MethodOffer& offer : methodOffers(encoding)) {
    if (!offer.refusal.empty()) log().debug(offer.refusal);
  }
}

}  // namespace ck::render

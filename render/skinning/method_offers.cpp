#include "render/skinning/method_offers.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>

#include "core/atlas/pose_codec.h"
#include "core/base/log.h"
#include "core/base/words.h"

namespace ck::render {
namespace {

constexpr Sampling kSamplings[] = {Sampling::Interpolated, Sampling::HardwareLinear,
                                   Sampling::Nearest, Sampling::Compact};

// In taller textures a float coordinate is too inexact for the 256 filter steps between two rows
// (docs/techniques.md 4.8).
constexpr int kTallestFiltered = 8192;

// The texture unit interpolates between vertically adjacent rows, so the frames of a clip must be
// adjacent.
std::string whyNotFiltered(const Atlas& atlas) {
  const EncodingInfo& encoding = encodingInfo(atlas.recipe);
  if (!mixesAsStored(encoding)) {
    return fmt::format(
        "{} has {}, which no texture unit mixes; choose interpolated, or bake as P16",
        encoding.name,
        isPacked(encoding) ? "several numbers in each word" : codecOf(encoding).unmixed);
  }
  if (atlas.shape.extent.w == 1) {
    return "the linear layout breaks frames where its lines end, and the texture unit mixes rows; "
           "choose interpolated, or bake with the layout rows";
  }
  const int framesPerBlock = std::max(atlas.shape.block.z, 1);
  for (const AtlasClip& clip : atlas.clips) {
    const int last = clip.firstFrame + clip.frameCount - 1;
    if (clip.firstFrame / framesPerBlock != last / framesPerBlock) {
      return fmt::format(
          "the {} frames of {} do not lie in one column of the texture, which has "
          "{}; choose interpolated, or fewer frames",
          clip.frameCount, clip.name, framesPerBlock);
    }
  }
  if (atlasHeight(atlas) > kTallestFiltered) {
    return fmt::format(
        "the texture is {} rows high, and the texture unit places frames well in up "
        "to {}; choose interpolated, or bake with a smaller largest texture size",
        atlasHeight(atlas), kTallestFiltered);
  }
  return {};
}

// The names of the methods that pose all joints of a frame before vertices are skinned.
std::string posingMethods() {
  std::vector<std::string_view> names;
  for (const MethodInfo& info : kMethods) {
    if (info.reads != VertexReads::Atlas) names.push_back(info.name);
  }
  return inWords(names, "or");
}

std::string variantName(const AtlasVariant& variant) {
  return fmt::format("{}, {} influence{}{}", samplingName(variant.sampling), variant.influences,
                     variant.influences == 1 ? "" : "s", variant.blend ? ", two clips" : "");
}

}  // namespace

int fetchesPerVertex(const Atlas& atlas, const AtlasVariant& variant) {
  const int frames = variant.sampling == Sampling::Interpolated ? 2 : 1;
  const int clips = variant.blend ? 2 : 1;
  return atlas.shape.block.x * variant.influences * frames * clips;
}

int fetchesPerVertex(Method method, const Atlas& atlas, const AtlasVariant& variant) {
  const int frames = isBetweenFrames(variant.sampling) ? 2 : 1;
  switch (methodInfo(method).reads) {
    case VertexReads::Atlas:
      return fetchesPerVertex(atlas, variant);
    case VertexReads::Palette:
      return kPaletteFetches * variant.influences;
    case VertexReads::Pool:
      return kPaletteFetches * variant.influences * frames * (variant.blend ? 2 : 1);
    case VertexReads::Vertex:
      return 1;
    case VertexReads::Nothing:
      return 0;
  }
  return 0;
}

std::string whyNotSampled(const Atlas& atlas, const AtlasVariant& variant) {
  if (variant.influences != 1 && variant.influences != 2 && variant.influences != 4) {
    return fmt::format("{} influences cannot be drawn; 1, 2 or 4 can", variant.influences);
  }
  if (variant.sampling == Sampling::Compact && variant.blend) {
    return "the compact record has no room for a second clip; switch fades off, or choose nearest";
  }
  return variant.sampling == Sampling::HardwareLinear ? whyNotFiltered(atlas) : std::string();
}

std::vector<VariantOffer> atlasVariants(const Atlas& atlas) {
  std::vector<VariantOffer> offers;
  for (const bool blend : {true, false}) {
    for (const Sampling sampling : kSamplings) {
      for (const int influences : {4, 2, 1}) {
        const AtlasVariant variant{.sampling = sampling, .influences = influences, .blend = blend};
        offers.push_back({.variant = variant,
                          .name = variantName(variant),
                          .fetchesPerVertex = fetchesPerVertex(atlas, variant),
                          .refusal = whyNotSampled(atlas, variant)});
      }
    }
  }
  std::stable_sort(offers.begin(), offers.end(), [](const VariantOffer& a, const VariantOffer& b) {
    return a.fetchesPerVertex > b.fetchesPerVertex;
  });
  return offers;
}

std::string whyNotDrawn(Method method, Encoding encoding) {
  const EncodingInfo& info = encodingInfo(encoding);
  if (method == Method::Atlas && isLocal(info)) {
    return fmt::format(
        "the method {} reads each joint by itself, and {} has how joints turn against their "
        "parents; choose {}, or bake with {}",
        methodName(method), info.name, posingMethods(), encodingNames(standsAlone, "or"));
  }
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

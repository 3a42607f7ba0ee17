#include "core/atlas/encoding.h"

#include <vector>

#include "core/base/words.h"

namespace ck {
namespace {

constexpr bool rowsAreInOrder() {
  for (std::size_t i = 0; i < std::size(kEncodings); ++i) {
    if (kEncodings[i].encoding != static_cast<Encoding>(i)) return false;
  }
  return true;
}
static_assert(rowsAreInOrder(), "kEncodings has one row for each Encoding, in their order");

constexpr bool rangesMakeSense() {
  for (const EncodingInfo& info : kEncodings) {
    if (isFloat(info.format) != (info.ranged == RangedTexels::None)) return false;
    // Ranges are measured about the pivot.
    if (info.atOrigin && info.ranged != RangedTexels::None) return false;
    if (info.scaleInRange && info.ranged == RangedTexels::None) return false;
  }
  return true;
}
static_assert(rangesMakeSense(), "whole numbers need ranges, floats and atOrigin have none");

constexpr bool packingMakesSense() {
  for (const EncodingInfo& info : kEncodings) {
    if (isPacked(info) != isWords(info.format)) return false;
    if (isPacked(info) && (info.form != PoseForm::Pivot || info.texelsPerJoint != 1 ||
                           info.ranged != RangedTexels::First)) {
      return false;
    }
  }
  return true;
}
static_assert(packingMakesSense(), "one texel of words holds a pose in pivot form");

constexpr bool dualMakesSense() {
  for (const EncodingInfo& info : kEncodings) {
    if (info.dual && (info.form != PoseForm::Pivot || isPacked(info) || info.scaleInRange ||
                      info.ranged != RangedTexels::First)) {
      return false;
    }
  }
  return true;
}
static_assert(dualMakesSense(), "a dual quaternion has a range for its dual part alone");

constexpr bool tracksMakeSense() {
  for (const EncodingInfo& info : kEncodings) {
    const bool turns = info.packing == Packing::Turn15 || info.packing == Packing::Turn10;
    if (isLocal(info) != turns) return false;
  }
  return true;
}
static_assert(tracksMakeSense(), "poses as parents see them have no place but that of their range");

constexpr std::string_view kComponents[] = {"trs", "tr", "r"};

}  // namespace

std::string_view componentsName(Components components) {
  return kComponents[static_cast<std::size_t>(components)];
}

std::span<const EncodingInfo> allEncodings() {
  return kEncodings;
}

std::string_view encodingName(Encoding encoding) {
  return encodingInfo(encoding).name;
}

std::optional<Encoding> encodingFromName(std::string_view name) {
  for (const EncodingInfo& info : kEncodings) {
    if (info.name == name) return info.encoding;
  }
  return std::nullopt;
}

std::string encodingNames(bool (*which)(const EncodingInfo&), std::string_view last) {
  std::vector<std::string_view> names;
  for (const EncodingInfo& info : kEncodings) {
    if (which(info)) names.push_back(info.name);
  }
  return inWords(names, last);
}

}  // namespace ck

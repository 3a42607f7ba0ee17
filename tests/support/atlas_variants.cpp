#include "tests/support/atlas_variants.h"

#include <fmt/format.h>

#include <QtGlobal>
#include <optional>

#include "core/bake/bake.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/step_rigs.h"

namespace ck::test {
namespace {

constexpr int kColumnHeight = 64;

struct Form {
  const char* name;
  LayoutKind layout;
  std::optional<RangeMode> ranges = {};
  int maxTextureSize = 16384;
};
const Form kForms[] = {
    {"in rows", LayoutKind::Rows, RangeMode::Joint},
    {"in columns", LayoutKind::Rows, RangeMode::JointClip, kColumnHeight},
    {"in tiles", LayoutKind::Tiles, RangeMode::Atlas},
    {"in a line", LayoutKind::Linear},
};

AtlasVariant baked(std::string name, const Character& character, const BakeSettings& settings) {
  auto result = bake(character, settings);
  if (!result) qFatal("%s: %s", name.c_str(), result.error().message.c_str());
  return {.name = std::move(name), .atlas = std::move(result->atlas)};
}

}  // namespace

std::vector<AtlasVariant> everyAtlasVariant() {
  const Character limb = swingingLimb();
  std::vector<AtlasVariant> variants;
  for (const EncodingInfo& encoding : allEncodings()) {
    for (const Components components : {Components::Trs, Components::Tr, Components::R}) {
      if (!isPossible({encoding.encoding, components})) continue;
      for (const Form& form : kForms) {
        BakeSettings settings;
        settings.encoding = encoding.encoding;
        settings.components = components;
        settings.layout = form.layout;
        if (rangesPerJoint({encoding.encoding, components}) > 0) settings.rangeMode = form.ranges;
        if (isLocal(encoding) && form.ranges == RangeMode::Atlas) {
          settings.rangeMode = RangeMode::Joint;
        }
        settings.maxTextureSize = form.maxTextureSize;
        variants.push_back(
            baked(fmt::format("{} {} {}", encoding.name, componentsName(components), form.name),
                  limb, settings));
        variants.back().onlyLayout = form.maxTextureSize != kColumnHeight;
      }
    }
  }
  BakeSettings steps = steppingSettings();
  variants.push_back(baked("P16 with steps", steppingLimb(), steps));
  steps.encoding = Encoding::M16;
  variants.push_back(baked("M16 with steps", steppingLimb(), steps));
  steps.encoding = Encoding::P16;
  steps.reduceMm = 4.0;
  variants.push_back(baked("P16 with steps, reduced", steppingLimb(0.06), steps));
  BakeSettings nearest;
  nearest.interpolate = false;
  variants.push_back(baked("P16 not interpolated", limb, nearest));
  return variants;
}

}  // namespace ck::test

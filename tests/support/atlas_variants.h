#pragma once

#include <string>
#include <vector>

#include "core/atlas/atlas.h"

namespace ck::test {

struct AtlasVariant {
  std::string name;  // "T8 tr in a line"
  Atlas atlas;
  bool onlyLayout = false;  // differs from another variant in its layout and ranges alone
};

// A limb baked with every encoding in every layout: in rows with ranges per joint, in several
// columns with ranges per joint and clip, in tiles with one range, in a line; the trs form with all
// components and with fewer. Then one whose clips have step frames and a joint of size zero, the
// same with clips that leave frames out, and one without interpolation. Three or four clips each.
std::vector<AtlasVariant> everyAtlasVariant();

}  // namespace ck::test

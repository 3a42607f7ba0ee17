#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace ck::worker {

// The bytes of a PNG or JPEG that was decoded, for exports to write as they are: without chunks and
// segments that readers show differently (gamma, profiles, the direction of a camera) or that tell
// of its author. Empty if other readers may see another image in it than the one decoded here:
// more than 8 bits, four inks, checksums that do not fit, an end that is missing; and for other
// formats. (W3C, "Portable Network Graphics", 5; ITU-T T.81, annex B.)
std::vector<std::byte> fileToKeep(std::span<const std::byte> bytes);

}  // namespace ck::worker

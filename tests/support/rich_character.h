#pragma once

#include <cstddef>
#include <vector>

#include "core/scene/character.h"

namespace ck::test {

// A valid character that uses every field of the worker's form (core/import/character_file.h).
Character richCharacter();

// Writes size and checksum of altered bytes of that form, so that what lies behind the checksum is
// put to the test.
void sign(std::vector<std::byte>& bytes);

}  // namespace ck::test

#pragma once

namespace ck {

// The version of the programs and of this library, for example "0.1.0": the one that CMakeLists.txt
// of the project names.
const char* version();

}  // namespace ck

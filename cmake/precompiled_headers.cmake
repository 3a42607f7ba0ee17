# What nearly every source includes, compiled once a target: halves the time of a cold build.
set(CK_COMMON_HEADERS
  <algorithm> <array> <cmath> <cstddef> <cstdint> <filesystem> <functional> <map> <memory>
  <optional> <span> <string> <string_view> <utility> <vector>
  <fmt/format.h> <glm/glm.hpp> <glm/gtc/quaternion.hpp> <tl/expected.hpp>)

# ck_precompile(TARGET [HEADERS...]): the common headers and these.
function(ck_precompile target)
  target_precompile_headers(${target} PRIVATE ${CK_COMMON_HEADERS} ${ARGN})
endfunction()

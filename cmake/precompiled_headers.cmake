# The headers that nearly every source includes, compiled once for all targets without Qt: halves the time of a cold
# build. house_headers finds sources that use them without including them. Each costs every source a little: CLI11, which
# few include, would cost five seconds of each.
set(CK_COMMON_HEADERS
  <algorithm> <array> <cmath> <cstddef> <cstdint> <filesystem> <functional> <map> <memory>
  <optional> <span> <string> <string_view> <utility> <vector>
  <fmt/format.h> <glm/glm.hpp> <glm/gtc/quaternion.hpp> <tl/expected.hpp>)

# ck_precompile(TARGET HEADERS...): the common headers and these, for this target and those that take them over.
function(ck_precompile target)
  target_precompile_headers(${target} PRIVATE ${CK_COMMON_HEADERS} ${ARGN})
endfunction()

# ck_precompiled_as(TARGET OTHER): takes over the headers of another target. Programs are compiled like libraries
# (-fPIC), because compilers refuse headers that were compiled another way.
function(ck_precompiled_as target other)
  target_compile_options(${target} PRIVATE -fPIC)
  target_precompile_headers(${target} REUSE_FROM ${other})
endfunction()

# An empty source, so that the headers have a target.
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/common_headers.cpp CONTENT "")
add_library(ck_common_headers OBJECT ${CMAKE_BINARY_DIR}/common_headers.cpp)
target_link_libraries(ck_common_headers PRIVATE ck_glm tl::expected fmt::fmt ck_warnings)
ck_precompile(ck_common_headers)

# One interface target that carries the warnings and, where asked, the sanitizers of our own code.
add_library(ck_warnings INTERFACE)
target_compile_options(ck_warnings INTERFACE -Wall -Wextra -Wpedantic -Wnon-virtual-dtor
                                             -Woverloaded-virtual -ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  target_compile_options(ck_warnings INTERFACE -Wshadow=local)
endif()
if(CROWDKILN_WERROR)
  target_compile_options(ck_warnings INTERFACE -Werror)
endif()
if(CROWDKILN_SANITIZE)
  target_compile_options(ck_warnings INTERFACE -fsanitize=address,undefined -fno-omit-frame-pointer
                                               -fno-sanitize-recover=undefined)
  # The coverage that steers libFuzzer (tests/fuzz); in other programs the sanitizers' runtime ignores it.
  if(CMAKE_CXX_COMPILER_ID STREQUAL Clang)
    target_compile_options(ck_warnings INTERFACE -fsanitize=fuzzer-no-link)
  endif()
  target_link_options(ck_warnings INTERFACE -fsanitize=address,undefined)
  target_compile_definitions(ck_warnings INTERFACE CK_SANITIZED=1)
endif()

# glm's experimental headers are used nowhere; its types are always initialised by hand.
add_library(ck_glm INTERFACE)
target_link_libraries(ck_glm INTERFACE glm::glm)
target_compile_definitions(ck_glm INTERFACE GLM_FORCE_XYZW_ONLY GLM_FORCE_EXPLICIT_CTOR)

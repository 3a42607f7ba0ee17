# Readers of outside bytes run under the sanitizers as well (scripts/test.sh, preset asan): these tests (label
# hostile), the targets of libFuzzer, and the worker. CROWDKILN_READERS_ONLY compiles nothing else, because sanitizers
# take twice the time to compile.
set(CK_HOSTILE_TESTS
  tests/core/tst_atlas_file.cpp tests/core/tst_packed_atlas.cpp tests/core/tst_atlas_export.cpp
  tests/core/tst_impostor_files.cpp tests/core/tst_character_file.cpp tests/core/tst_project_json.cpp
  tests/core/tst_placement.cpp tests/core/tst_files.cpp tests/core/tst_set_folder.cpp tests/import/tst_md5_read.cpp
  tests/import/tst_bvh_read.cpp tests/import/tst_collada_motion.cpp tests/import/tst_x_read.cpp)

# ck_keep_needed(LIST): leaves in the list of sources, named by their whole paths, those that readers need.
function(ck_keep_needed list)
  if(NOT CROWDKILN_READERS_ONLY)
    return()
  endif()
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  file(GLOB_RECURSE roots RELATIVE ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/core/import/worker/*.cpp
       ${CMAKE_SOURCE_DIR}/tests/fuzz/*.cpp)
  execute_process(COMMAND ${Python3_EXECUTABLE} -B cmake/needed_sources.py ${roots} ${CK_HOSTILE_TESTS}
      app/import_main.cpp tests/support/test_program.cpp
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} OUTPUT_VARIABLE needed
    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" needed "${needed}")
  list(TRANSFORM needed PREPEND ${CMAKE_SOURCE_DIR}/)
  set(kept "")
  foreach(source IN LISTS ${list})
    if(source IN_LIST needed)
      list(APPEND kept ${source})
    endif()
  endforeach()
  set(${list} ${kept} PARENT_SCOPE)
endfunction()

# Compiles several sources at a time (CROWDKILN_JOINED), which takes a third of the processor time of a
# whole build, because headers are read and templates are made once for all of them. It is off by
# default, because a change of one source compiles its neighbours again. Sources of one group may not name
# the same things in unnamed namespaces; joined_sources.py finds groups for which that holds.
function(ck_join target)
  if(NOT CROWDKILN_JOINED)
    return()
  endif()
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  execute_process(COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_SOURCE_DIR}/cmake/joined_sources.py ${sources}
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE groups
    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" groups "${groups}")
  set(number 0)
  foreach(group IN LISTS groups)
    math(EXPR number "${number} + 1")
    string(REPLACE "|" ";" group "${group}")
    set_source_files_properties(${group} PROPERTIES UNITY_GROUP ${number})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # A joined source looks like a header to g++, in which types of unnamed namespaces are a mistake.
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
  endif()
endfunction()

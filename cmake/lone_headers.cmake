# ck_compile_lone_headers(TARGET HEADERS...): compiles those of HEADERS by themselves, as a part of the whole build, that
# no source of the same name includes first.
function(ck_compile_lone_headers target)
  if(NOT BUILD_TESTING OR CROWDKILN_READERS_ONLY)
    return()
  endif()
  foreach(header IN LISTS ARGN)
    string(REGEX REPLACE "\\.h$" ".cpp" source ${header})
    if(NOT EXISTS ${source})
      file(RELATIVE_PATH name ${CMAKE_SOURCE_DIR} ${header})
      file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/lone_headers/${name}.cpp CONTENT "#include \"${name}\"\n")
      list(APPEND lone ${CMAKE_BINARY_DIR}/lone_headers/${name}.cpp)
    endif()
  endforeach()
  add_library(${target}_lone_headers OBJECT ${lone})
  target_link_libraries(${target}_lone_headers PRIVATE ${target} ck_warnings)
  target_compile_options(${target}_lone_headers PRIVATE -Wno-psabi)  # as core/CMakeLists.txt says
  ck_precompiled_as(${target}_lone_headers ck_common_headers)
endfunction()

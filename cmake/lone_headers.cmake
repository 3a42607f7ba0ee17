# ck_verify_lone_headers(TARGET HEADERS...): the build target all_verify_interface_header_sets compiles
# those of HEADERS by themselves that no source of the same name includes first.
function(ck_verify_lone_headers target)
  set(lone "")
  foreach(header IN LISTS ARGN)
    string(REGEX REPLACE "\\.h$" ".cpp" source ${header})
    if(NOT EXISTS ${source})
      list(APPEND lone ${header})
    endif()
  endforeach()
  target_sources(${target} PUBLIC FILE_SET HEADERS BASE_DIRS ${CMAKE_SOURCE_DIR} FILES ${lone})
  set_target_properties(${target} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
endfunction()

# ck_embed_texts(TARGET HEADER FUNCTION FILES...): a static library whose one function, which HEADER
# declares, hands out the texts of FILES by their path below the current folder, so that programs need
# no such folder beside them.
function(ck_embed_texts target header function)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${target}.cpp)
  add_custom_command(
    OUTPUT ${source}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${source} -DROOT=${CMAKE_CURRENT_SOURCE_DIR} -DHEADER=${header}
            -DFUNCTION=${function} "-DFILES=${ARGN}" -P ${CMAKE_SOURCE_DIR}/cmake/write_embedded.cmake
    DEPENDS ${ARGN} ${CMAKE_SOURCE_DIR}/cmake/write_embedded.cmake
    VERBATIM)
  add_library(${target} STATIC ${source} ${CMAKE_SOURCE_DIR}/${header})
  target_include_directories(${target} PUBLIC ${CMAKE_SOURCE_DIR})
endfunction()

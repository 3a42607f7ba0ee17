# ck_embed_shaders(TARGET ROOT FILES...): a static library whose one function hands out the texts of
# FILES by their path below ROOT, so that programs run without a shader folder beside them.
function(ck_embed_shaders target root)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${target}.cpp)
  add_custom_command(
    OUTPUT ${source}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${source} -DROOT=${root} "-DFILES=${ARGN}"
            -P ${CMAKE_SOURCE_DIR}/cmake/write_embedded.cmake
    DEPENDS ${ARGN} ${CMAKE_SOURCE_DIR}/cmake/write_embedded.cmake
    VERBATIM)
  add_library(${target} STATIC ${source} ${CMAKE_SOURCE_DIR}/shaders/shaders.h)
  target_include_directories(${target} PUBLIC ${CMAKE_SOURCE_DIR})
endfunction()

# Fails when the product needs what is for measuring: only the two registrations may include files of
# render/reference and app/bench, and no other file may name the write-up's "book". ROOT is the tree
# to check.
set(registrations render/references.cpp app/kiln_main.cpp)
set(faults "")
foreach(folder core render ui app)
  file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/${folder}/*.h ${ROOT}/${folder}/*.cpp)
  foreach(file IN LISTS files)
    if(file MATCHES "^(render/reference|app/bench)/" OR file IN_LIST registrations)
      continue()
    endif()
    set(pattern "^#include \"(render/reference|app/bench)/|[Bb]ook[A-Z(]|[^a-z][Bb]ook([^a-z]|$)")
    if(file MATCHES "^ui/bake/bake_presets")  # the preset Book-compatible is the artist's
      set(pattern "^#include \"(render/reference|app/bench)/")
    endif()
    file(STRINGS ${ROOT}/${file} bad REGEX "${pattern}")
    foreach(line IN LISTS bad)
      string(APPEND faults "\n  ${file}: ${line}")
    endforeach()
  endforeach()
endforeach()
if(faults)
  message(FATAL_ERROR "The product needs what is for measuring:${faults}")
endif()

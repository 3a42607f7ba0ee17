# cmake -DSTB=stb_image.h -DOUT=FOLDER -P cmake/checked_stb.cmake, or included with these two set: writes
# FOLDER/stb/stb_image.h, the header of the system with a check that later versions have. Without it a damaged
# JPEG with too many codes in a Huffman table writes behind that table.
file(READ "${STB}" text)
set(unchecked "h->size[k++] = (stbi_uc) (i+1);\n")
string(FIND "${text}" "${unchecked}   h->size[k] = 0;" at)
if(at GREATER_EQUAL 0)
  string(REPLACE "${unchecked}" "{ h->size[k++] = (stbi_uc) (i+1); if (k >= 257) return stbi__err(\"bad size list\",\"Corrupt JPEG\"); }\n"
    text "${text}")
endif()
set(old "")
if(EXISTS "${OUT}/stb/stb_image.h")
  file(READ "${OUT}/stb/stb_image.h" old)
endif()
if(NOT old STREQUAL text)
  file(WRITE "${OUT}/stb/stb_image.h" "${text}")
endif()

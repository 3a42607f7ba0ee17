# The rules of the house as tests (ARCHITECTURE.md): layers, file sizes, headers that stand alone.
add_test(NAME house_layers
  COMMAND ${CMAKE_COMMAND} -DROOT=${CMAKE_SOURCE_DIR} -P ${CMAKE_SOURCE_DIR}/cmake/check_layers.cmake)
add_test(NAME house_sizes
  COMMAND ${CMAKE_COMMAND} -DROOT=${CMAKE_SOURCE_DIR} -P ${CMAKE_SOURCE_DIR}/cmake/check_sizes.cmake)
add_test(NAME house_reference
  COMMAND ${CMAKE_COMMAND} -DROOT=${CMAKE_SOURCE_DIR} -P ${CMAKE_SOURCE_DIR}/cmake/check_reference.cmake)
add_test(NAME house_headers_stand_alone
  COMMAND ${CMAKE_COMMAND} --build ${CMAKE_BINARY_DIR} --target all_verify_interface_header_sets)
set_tests_properties(house_layers house_sizes house_reference house_headers_stand_alone PROPERTIES LABELS house)
set_tests_properties(house_headers_stand_alone PROPERTIES TIMEOUT 1200 RUN_SERIAL ON)

# The checks must be able to fail: each is run once more on a small tree that breaks its rule.
foreach(check layers sizes reference)
  add_test(NAME house_${check}_catches_a_fault
    COMMAND ${CMAKE_COMMAND} -DROOT=${CMAKE_SOURCE_DIR}/tests/data/bad_house
            -P ${CMAKE_SOURCE_DIR}/cmake/check_${check}.cmake)
  set_tests_properties(house_${check}_catches_a_fault PROPERTIES LABELS house WILL_FAIL ON)
endforeach()

find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND)
  set(check_citations ${Python3_EXECUTABLE} -B ${CMAKE_SOURCE_DIR}/tests/tools/check_citations.py)
  add_test(NAME house_citations COMMAND ${check_citations} ${CMAKE_SOURCE_DIR})
  add_test(NAME house_citations_catches_a_fault
    COMMAND ${check_citations} ${CMAKE_SOURCE_DIR}/tests/data/bad_house)
  set_tests_properties(house_citations house_citations_catches_a_fault PROPERTIES LABELS house)
  set_tests_properties(house_citations_catches_a_fault PROPERTIES WILL_FAIL ON)
endif()

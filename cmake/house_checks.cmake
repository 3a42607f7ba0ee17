# The rules of the house as tests (ARCHITECTURE.md, "Layers").
set(house_checks ${Python3_EXECUTABLE} -B ${CMAKE_SOURCE_DIR}/tests/house/house_checks.py)
set(checks layers headers sizes rooms reference citations writers parsers labels voice)
foreach(check IN LISTS checks)
  add_test(NAME house_${check} COMMAND ${house_checks} ${check} ${CMAKE_SOURCE_DIR})
endforeach()
# The checks must be able to fail: small trees break each rule.
add_test(NAME house_checks_catch_faults
  COMMAND ${house_checks} test ${CMAKE_SOURCE_DIR}/tests/data/bad_house)
add_test(NAME house_format COMMAND ${CMAKE_SOURCE_DIR}/scripts/format.sh --check)
# house_headers sees to it that a source proves the header of its name; cmake/lone_headers.cmake compiles the others.
list(TRANSFORM checks PREPEND house_)
set_tests_properties(${checks} house_checks_catch_faults house_format PROPERTIES LABELS house)

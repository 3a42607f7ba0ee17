# ck_automoc(TARGET): lets moc read the sources of TARGET, but not what these include (moc_alone.sh.in).
function(ck_automoc target)
  get_target_property(moc Qt6::moc IMPORTED_LOCATION)
  configure_file(${CMAKE_SOURCE_DIR}/cmake/moc_alone.sh.in ${CMAKE_BINARY_DIR}/moc_alone.sh @ONLY
    USE_SOURCE_PERMISSIONS)
  set_target_properties(${target} PROPERTIES AUTOMOC ON AUTOMOC_EXECUTABLE ${CMAKE_BINARY_DIR}/moc_alone.sh)
endfunction()

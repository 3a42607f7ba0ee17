# To be sourced. build_targets FOLDER TARGET...: compiles and links the fuzz targets into FOLDER/fuzz_TARGET, with
# the objects that they share in FOLDER/objects. Sources in the list `measured` count which of their branches run.
measured=()

build_targets() {
  local folder=$1 header sources source object target
  shift
  mkdir -p "$folder/objects"
  cmake -DSTB=/usr/include/stb/stb_image.h -DOUT="$folder/checked" -P cmake/checked_stb.cmake
  export COMPILER="clang++-14" FLAGS="-std=c++20 -O1 -g1 -I$folder/checked -I. -DGLM_FORCE_EXPLICIT_CTOR -DGLM_FORCE_XYZW_ONLY
    -DFMT_SHARED -DSPDLOG_COMPILED_LIB -DSPDLOG_FMT_EXTERNAL -DSPDLOG_SHARED_LIB -DTINYGLTF_NO_STB_IMAGE
    -DTINYGLTF_NO_STB_IMAGE_WRITE -DTINYGLTF_NO_EXTERNAL_IMAGE -DTINYGLTF_NO_FS -DCK_VERSION=\"fuzz\"
    -I/usr/include/Imath -I/usr/include/OpenEXR -ffp-contract=off
    -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=undefined"
  export OF_TESTS='-DCK_SOURCE_DIR="." -DCK_SHARED_DIR="../shared"'
  export COUNT='-fprofile-instr-generate -fcoverage-mapping' MEASURED=" ${measured[*]} "
  command -v ccache >/dev/null && COMPILER="ccache $COMPILER"

  # Objects are made anew where their source, or any header, is newer.
  header=$(find core shaders tests/fuzz tests/support "$folder/checked" -name '*.h' -printf '%T@ %p\n' | sort -n | tail -n 1)
  header=${header#* }
  mapfile -t sources < <(python3 -B tests/fuzz/sources.py $(printf 'tests/fuzz/fuzz_%s.cpp ' "$@"))
  local stale=()
  for source in "${sources[@]}"; do
    object=$folder/objects/${source//\//_}.o
    [[ $object -nt $source && $object -nt $header ]] || stale+=("$source" "$object")
  done
  if ((${#stale[@]} > 0)); then
    printf '%s\0' "${stale[@]}" | xargs -0 -n 2 -P "$(nproc)" bash -c '
      more=
      [[ $0 == core/* ]] || more=$OF_TESTS
      [[ $MEASURED != *" $0 "* ]] || more=$COUNT
      $COMPILER $FLAGS $more -c "$0" -o "$1"'
  fi
  rm -f "$folder/libreaders.a"
  ar rcs "$folder/libreaders.a" $(printf '%s\n' "${sources[@]}" | grep -v '^tests/fuzz/fuzz_' |
    sed "s|/|_|g; s|.*|$folder/objects/&.o|")
  for target; do
    clang++-14 -fsanitize=address,undefined,fuzzer ${measured:+$COUNT} "$folder/objects/tests_fuzz_fuzz_$target.cpp.o" \
      "$folder/libreaders.a" -Wl,--as-needed -lspdlog -lfmt -lz -lxxhash -lwebp -lzstd -lmeshoptimizer -ldraco \
      -lpugixml -lpng -lOpenEXR-3_1 -lImath-3_1 -lIex-3_1 -luv -lpthread -o "$folder/fuzz_$target"
  done
}

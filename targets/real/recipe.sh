# What the build recipes of the targets share. Sourced by each `build`, never run.
#
# A recipe is called as `build OUT_DIR` and takes from the environment, as build systems do, CC, CXX, CFLAGS,
# CXXFLAGS and LDFLAGS, and further:
#   FUZZING_LINK_FLAGS  set: also link OUT_DIR/harness, with these flags (-fsanitize=fuzzer, or an object
#                       file that brings a main)
#   HARNESS_CC, HARNESS_CXX, HARNESS_CFLAGS
#                       compile the harness itself with these instead (default: CC, CXX, CFLAGS): the benches
#                       keep it the same while the library varies
#   JOBS                parallel jobs of make (default 2)
# It runs the project's own, unmodified build system in a copy of the source and leaves in OUT_DIR
#   lib/*.a, include/   what a harness needs
#   sources             the folder(s) with the project's sources, one a line, for coverage reports
#   harness             when asked for
#   link                a script that links it anew, for when only the engine has changed

set -euo pipefail

TARGET_DIR=$(cd "$(dirname "$0")" && pwd)
TARGET=$(basename "$TARGET_DIR")
REAL=$(dirname "$TARGET_DIR")
ROOT=$(cd "$REAL/../.." && pwd)

fail() {
  printf '%s/build: %s\n' "$TARGET" "$*" >&2
  exit 1
}

if [[ $# -ne 1 || $1 == -* ]]; then
  echo "usage: targets/real/$TARGET/build OUT_DIR (compilers and flags come from the environment, see recipe.sh)"
  [[ ${1-} == --help || ${1-} == -h ]] && exit 0
  exit 1
fi

mkdir -p "$1"
OUT=$(cd "$1" && pwd)
LOG=$OUT/build.log
JOBS=${JOBS:-2}
export CC=${CC:-clang} CXX=${CXX:-clang++} CFLAGS=${CFLAGS--O2} LDFLAGS=${LDFLAGS-}
export CXXFLAGS=${CXXFLAGS-$CFLAGS}
rm -rf "$OUT"/{src,obj,lib,include,harness,sources,link}
mkdir -p "$OUT/lib" "$OUT/include"
: >"$LOG"

# run COMMAND...: into the log; a failure shows the end of it.
run() {
  printf '+ %s\n' "$*" >>"$LOG"
  "$@" >>"$LOG" 2>&1 || {
    tail -n 20 "$LOG" >&2
    fail "'$1' failed; the whole log is $LOG"
  }
}

# copy_source [NAME [FOLDER]]: the fetched source (the target's own) in a folder (OUT/src), which becomes current.
copy_source() {
  local name=${1:-$TARGET} folder=${2:-$OUT/src}
  [[ -d $ROOT/build/sources/$name ]] || fail "the source of $name is not there; run scripts/fetch $TARGET"
  rm -rf "$folder"
  cp -r "$ROOT/build/sources/$name" "$folder"
  cd "$folder"
  # All of one time, whatever the distribution patched, so that make does not find generated files out of date.
  find . -type f -exec touch -r . {} +
}

# build_zlib: zlib by its own recipe and with the same flags, kept for the harness.
build_zlib() {
  [[ -d $ROOT/build/sources/zlib ]] || fail "the source of zlib is not there; run scripts/fetch $TARGET"
  (unset FUZZING_LINK_FLAGS && "$REAL/zlib/build" "$OUT/zlib")
  keep "$OUT"/zlib/include/*.h "$OUT/zlib/lib/libz.a"
}

# project_sources FOLDER...: which folders of the copy a coverage report is about.
project_sources() { printf '%s\n' "$@" >"$OUT/sources"; }

# cmake_build TARGET OPTION...: configures the copied source in OUT/obj and builds one target of it.
cmake_build() {
  local goal=$1
  shift
  run cmake -S "$OUT/src" -B "$OUT/obj" -G "Unix Makefiles" -DCMAKE_BUILD_TYPE=None -DCMAKE_EXPORT_NO_PACKAGE_REGISTRY=ON "$@"
  run make -C "$OUT/obj" -j"$JOBS" "$goal"
}

# keep FILE... : archives and headers that the harness needs.
keep() {
  local file
  for file in "$@"; do
    case $file in
      *.a) cp "$file" "$OUT/lib/" ;;
      *) cp -r "$file" "$OUT/include/" ;;
    esac
  done
}

# link_harness FLAG...: compiles harness.c or harness.cc against what was kept, if a link was asked for.
link_harness() {
  [[ -n ${FUZZING_LINK_FLAGS+set} ]] || return 0
  local source=$TARGET_DIR/harness.c compiler=${HARNESS_CC:-$CC} linker=$CC flags=${HARNESS_CFLAGS-$CFLAGS}
  if [[ ! -e $source ]]; then
    source=$TARGET_DIR/harness.cc compiler=${HARNESS_CXX:-$CXX} linker=$CXX flags=${HARNESS_CFLAGS-$CXXFLAGS}
  fi
  # Compilers and flags are lists of words, as in every build system.
  # shellcheck disable=SC2086
  run $compiler $flags -I"$OUT/include" -c "$source" -o "$OUT/harness.o"
  # shellcheck disable=SC2086
  set -- $linker ${CFLAGS} ${LDFLAGS} ${FUZZING_LINK_FLAGS} "$OUT/harness.o" -o "$OUT/harness" "$@"
  run "$@"
  printf '#!/bin/sh\n# Links the harness anew.\nexec' >"$OUT/link"
  printf ' %q' "$@" >>"$OUT/link"
  printf '\n' >>"$OUT/link"
  chmod +x "$OUT/link"
}

# What the scripts of this folder share: places, messages, help, and the clang versions that are installed.
# Sourced, never run.

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# Everything the scripts make lies here; the folder is ignored by git and may be deleted at any time.
BUILD=$ROOT/build
# Where waypoint-cc, waypoint-c++ and waypoint are; another place is for trying a build that is not this tree's.
WAYPOINT_BIN=${WAYPOINT_BIN:-$ROOT/target/release}
# The clang versions Waypoint supports, newest first, and the ones its tests want (as far as they can be had).
SUPPORTED_LLVM=(22 21 20 19)
TESTED_LLVM=(22 19)

say() { printf '%s\n' "$*" >&2; }

# One sentence that says what failed and what to do.
die() {
  say "${0##*/}: $*"
  exit 1
}

# The comment block at the top of a script is its help text.
print_help() { awk 'NR == 1 { next } !/^#/ { exit } { sub(/^# ?/, ""); print }' "$0"; }

help_if_asked() {
  local argument
  for argument in "$@"; do
    if [[ $argument == --help || $argument == -h ]]; then
      print_help
      exit 0
    fi
  done
}

no_arguments() {
  help_if_asked "$@"
  [[ $# -eq 0 ]] || die "takes no arguments, got '$*'; see ${0##*/} --help"
}

have() { command -v "$1" >/dev/null 2>&1; }

# llvm_installed N: clang N with its runtimes, linker and headers.
llvm_installed() {
  local runtimes
  have "clang-$1" && have "clang++-$1" && have "llvm-config-$1" && have "ld.lld-$1" || return 1
  [[ -e $("llvm-config-$1" --includedir)/llvm/IR/PassManager.h ]] || return 1
  runtimes=$("clang-$1" -print-resource-dir)/lib
  compgen -G "$runtimes/*/libclang_rt.asan*.a" >/dev/null && compgen -G "$runtimes/*/libclang_rt.profile*.a" >/dev/null
}

# The supported clang versions that are installed, newest first.
installed_llvm() {
  local version
  for version in "${SUPPORTED_LLVM[@]}"; do
    if llvm_installed "$version"; then echo "$version"; fi
  done
}

newest_llvm() {
  local version
  version=$(installed_llvm | head -n 1)
  [[ -n $version ]] || die "no clang ${SUPPORTED_LLVM[-1]} to ${SUPPORTED_LLVM[0]} with its runtimes was found; run scripts/setup"
  echo "$version"
}

# phase NAME COMMAND...: runs one phase of a longer script and says how long it took.
phase() {
  local name=$1 start=$SECONDS
  shift
  say "== $name"
  "$@" || die "phase '$name' failed: $*"
  say "== $name: $((SECONDS - start)) s"
}

# The targets of targets/real, one name a line.
real_targets() {
  local directory
  for directory in "$ROOT"/targets/real/*/; do basename "$directory"; done
}

# require_target NAME: dies unless targets/real has it.
require_target() {
  [[ $1 != */* && -x $ROOT/targets/real/$1/build ]] \
    || die "there is no target '$1'; the targets are: $(real_targets | paste -sd ' ')"
}

# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What scripts/warpz, scripts/test and scripts/bench-cpu share: installing missing packages, building, saying what
# goes on. Owns the build folder's lock, log and stamps. Prints on standard error only, and nothing when all is well
# and no terminal looks on. Installs from the distribution's own packages with apt, and from nowhere else.

# The same as warpz's own: docs/exit-codes.md lists them.
readonly exit_bad_input=2 exit_no_device=4 exit_does_not_compile=5

script_name=scripts/${0##*/}
source_dir=$(readlink -f "${BASH_SOURCE[0]}")
source_dir=${source_dir%/scripts/lib/setup.sh}
build_root=${WARPZ_BUILD_DIR:-$source_dir/build}
[[ $build_root == /* ]] || build_root=$PWD/$build_root
log=$build_root/setup.log
missing=()  # packages that could not be installed

# What the user sees.

show_progress=
[[ -t 2 && ${TERM:-dumb} != dumb ]] && show_progress=1

# One line on a terminal, each taking the place of the one before; nothing elsewhere.
progress() {
  [[ -z $show_progress ]] || printf '\r\033[K%.78s' "$script_name: $1" >&2
}

clear_progress() {
  [[ -z $show_progress ]] || printf '\r\033[K' >&2
}

say() {
  clear_progress
  printf '%s\n' "$@" >&2
}

# fail CODE LINE...
fail() {
  local code=$1
  shift
  say "$script_name: $1" "${@:2}"
  exit "$code"
}

# fail_with_log CODE LINE...: the same, with the log's last lines, or its first where a compiler failed.
fail_with_log() {
  local code=$1 lines
  shift
  lines=$(grep -m 1 -A 20 '^FAILED: ' "$log" || tail -n 20 "$log")
  say "$script_name: $1" "${@:2}" "From $log:" "$(cut -c 1-300 <<<"$lines" | sed 's/^/  /')"
  exit "$code"
}

# run_logged WHAT COMMAND...: output goes to the log, and what it says of its own progress to the progress line.
run_logged() {
  local what=$1 line
  shift
  progress "$what"
  printf '$ %s\n' "$*" >>"$log"
  "$@" </dev/null 2>&1 | while IFS= read -r line; do
    printf '%s\n' "$line" >>"$log"
    if [[ $line =~ ^\[([0-9]+/[0-9]+)\]\  || $line =~ ^(Get:[0-9]+|Unpacking\ [^ ]+|Setting\ up\ [^ ]+) ]]; then
      progress "$what ${BASH_REMATCH[1]}"
    fi
  done
}

# Packages.

# packages_for COLUMN USE...: names from the package list; column 2 is Debian's, 3 Fedora's, 4 Arch's.
packages_for() {
  local column=$1
  shift
  awk -v column="$column" -v uses=" $* " \
    '!/^#/ && index(uses, " " $1 " ") && $column != "-" && !seen[$column]++ { print $column }' \
    "$source_dir/scripts/packages.txt"
}

# Prints the Debian packages for these uses that are not installed.
missing_packages() {
  local wanted
  mapfile -t wanted < <(packages_for 2 "$@")
  LC_ALL=C comm -23 <(printf '%s\n' "${wanted[@]}" | LC_ALL=C sort) \
    <({ dpkg-query -W -f '${Package} ${db:Status-Status}\n' "${wanted[@]}" 2>/dev/null || true; } |
      sed -n 's/ installed$//p' | LC_ALL=C sort -u)
}

apt_get() {
  # The lock stays with this script: what apt starts must not keep it.
  run_logged "installing ${#missing[@]} packages" "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive LC_ALL=C \
    apt-get -q -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 "$@" 9>&-
}

# Becomes root for apt, asking for a password only where somebody can give it. Sets as_root.
become_root() {
  as_root=()
  (($(id -u) != 0)) || return 0
  command -v sudo >/dev/null || return 1
  as_root=(sudo -n)
  sudo -n true 2>/dev/null && return 0
  [[ -t 0 && -t 2 ]] || return 1
  as_root=(sudo)
  say "$script_name: installing these packages with apt, for which sudo may ask for your password:" "  ${missing[*]}"
  sudo -v
}

# Installs what is missing for these uses; where it can't, leaves it in `missing` (the build may work all the same:
# a compiler or CMake need not come from a package).
install_packages() {
  command -v dpkg-query >/dev/null && command -v apt-get >/dev/null || return 0
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]} > 0)) && become_root || return 0

  # An interrupted installation is finished first. Package lists that are absent or old show as a failed
  # installation: then they are fetched and it is tried again.
  run_logged "installing packages" "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive dpkg --configure -a 9>&- || true
  apt_get -y --no-install-recommends install "${missing[@]}" || {
    apt_get update && apt_get -y --no-install-recommends install "${missing[@]}"
  } || fail_with_log "$exit_no_device" "apt could not install: ${missing[*]}"
  missing=()
}

# How to install the packages for these uses, on whatever this is.
installation_advice() {
  if command -v apt-get >/dev/null; then
    if ((${#missing[@]} > 0)); then
      echo "These packages are missing, and installing them needs root:"
      echo "  sudo apt-get install ${missing[*]}"
    fi
  else
    echo "These packages are needed:"
    echo "  Debian, Ubuntu:  sudo apt-get install $(packages_for 2 "$@" | paste -sd ' ')"
    echo "  Fedora:          sudo dnf install $(packages_for 3 "$@" | paste -sd ' ')"
    echo "  Arch:            sudo pacman -S --needed $(packages_for 4 "$@" | paste -sd ' ')"
  fi
}

# Building.

# What a build reads. A folder's own time changes when an entry comes or goes, so folders count as well as files;
# the package database stands for compilers and libraries.
build_inputs() {
  local path
  for path in "$source_dir"/{CMakeLists.txt,CMakePresets.json,cmake,src,puzzles,scripts/lib,scripts/packages.txt} \
    /var/lib/dpkg/status; do
    [[ ! -e $path ]] || printf '%s\0' "$path"
  done
}

# up_to_date STAMP: true where nothing that the build reads has changed since the build that left this stamp.
up_to_date() {
  [[ -f $1 && $(<"$1") == "$source_dir" ]] || return 1
  local inputs newer
  mapfile -d '' inputs < <(build_inputs)
  newer=$(find "${inputs[@]}" -newer "$1" -print -quit) && [[ -z $newer ]]
}

# Takes the build folder for this script alone until it ends or calls release_build_folder.
lock_build_folder() {
  if [[ -e $build_root/CMakeCache.txt ]] && grep -q '^CMAKE_PROJECT_NAME:' "$build_root/CMakeCache.txt" &&
    ! grep -q '^CMAKE_PROJECT_NAME:STATIC=warpz$' "$build_root/CMakeCache.txt"; then
    fail "$exit_bad_input" "$build_root is another project's build folder." \
      "Set WARPZ_BUILD_DIR to an empty folder."
  fi
  if ! { mkdir -p "$build_root" && exec 9>>"$build_root/.lock"; } 2>/dev/null; then
    fail "$exit_no_device" "warpz has to be built, and $build_root can't be written to." \
      "Choose another folder for the build:" "  WARPZ_BUILD_DIR=\"\$HOME/warpz-build\" $0"
  fi
  if ! flock -n 9; then
    progress "waiting for another setup in this folder"
    flock 9
  fi
  : >"$log"
}

release_build_folder() {
  exec 9>&-
}

# build FOLDER PRESET TARGETS USE...: configures and builds one preset of CMakePresets.json, TARGETS being one word or
# several; with -DNAME=VALUE from the array build_options.
build_options=()
build() {
  local folder=$1 preset=$2 targets what="building" code=$exit_no_device
  read -ra targets <<<"$3"
  shift 3
  [[ $preset == release ]] || what="building ($preset)"
  local configure=(cmake -S "$source_dir" --preset "$preset" -B "$folder" "${build_options[@]}")
  # A cache left by an interrupted run, another place of the tree or another generator is begun anew.
  if ! run_logged "configuring" "${configure[@]}" &&
    ! { [[ -e $folder/CMakeCache.txt ]] && run_logged "configuring" "${configure[@]}" --fresh; }; then
    local advice
    mapfile -t advice < <(installation_advice "$@")
    ((${#advice[@]} == 0)) || fail "$code" "the build can't be set up." "${advice[@]}" "CMake's own words are in $log."
    fail_with_log "$code" "the build can't be set up."
  fi
  # Clang's memory in huge pages: it spares two thirds of its page faults.
  local -x GLIBC_TUNABLES=${GLIBC_TUNABLES-glibc.malloc.hugetlb=1}
  if ! run_logged "$what" cmake --build "$folder" --target "${targets[@]}"; then
    # The learner's own file: the code that warpz gives to a kernel that does not compile.
    grep -qE '\.hip:[0-9]+:[0-9]+: (fatal )?error' "$log" && code=$exit_does_not_compile
    fail_with_log "$code" "the build failed."
  fi
}

trap clear_progress EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP

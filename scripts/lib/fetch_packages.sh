# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck disable=SC2154  # setup.sh has them
# Debian packages of any architecture, fetched into a folder and not installed. Sourced after setup.sh.

# fetch_packages FOLDER ARCH PACKAGE...: puts these packages, and all that they need down to libc, into FOLDER/cache/archives.
fetch_packages() {
  local folder=$1 architecture=$2 command apt
  shift 2
  # To apt, nothing is installed, and this is a machine of the wanted architecture.
  mkdir -p "$folder"/{lists,cache/archives}/partial
  : >"$folder/status"
  apt=(apt-get -q -o "Dir::State::lists=$folder/lists" -o "Dir::State::status=$folder/status"
    -o "Dir::Cache=$folder/cache" -o "APT::Architecture=$architecture" -o "APT::Architectures::=$architecture"
    -o APT::Sandbox::User=root)
  [[ $architecture != "$(dpkg --print-architecture)" ]] || apt+=(-o APT::Architectures="$architecture")
  for command in update "-y --download-only --no-install-recommends install $*"; do
    # shellcheck disable=SC2086  # several words
    run_logged "fetching packages of $architecture" "${apt[@]}" $command ||
      fail_with_log "$exit_no_device" "the packages can't be had."
  done
}

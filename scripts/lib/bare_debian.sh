# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck disable=SC2154  # setup.sh has them
# A bare Debian of this machine's release in a temporary folder, which goes with the script. Sourced after setup.sh.

# make_bare_debian PACKAGE...: sets `root`, the folder. It has a user `somebody` without rights.
make_bare_debian() {
  (($(id -u) == 0)) || fail "$exit_no_device" "only root can install a Debian into a folder."
  command -v debootstrap >/dev/null || fail "$exit_no_device" "it needs debootstrap: apt-get install debootstrap"

  local release mirror include=()
  release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
  # shellcheck disable=SC2016  # apt's variables, not the shell's
  mirror=$(apt-get indextargets --format '$(RELEASE) $(REPO_URI)' 'Created-By: Packages' |
    awk -v release="$release" '$1 == release { print $2; exit }')
  [[ -n $mirror ]] || fail "$exit_no_device" "apt's sources name no mirror of Debian $release."

  bare_folder=$(TMPDIR=${TMPDIR:-/var/tmp} mktemp -d)
  root=$bare_folder/root
  trap remove_bare_debian EXIT
  say "$script_name: installing Debian $release from $mirror"
  # Everybody can enter the root of a real machine.
  chmod 755 "$bare_folder"
  mkdir "$root"
  (($# == 0)) || include=("--include=$(IFS=, && echo "$*")")
  debootstrap --variant=minbase "${include[@]}" "$release" "$root" "$mirror" >"$bare_folder/log" 2>&1 || {
    tail -n 20 "$bare_folder/log" >&2
    fail "$exit_no_device" "debootstrap failed."
  }
  apt-config dump --format '%F "%v";%n' Acquire::http Acquire::https >"$root/etc/apt/apt.conf.d/90-of-this-machine"
  [[ ! -e /etc/resolv.conf ]] || cp /etc/resolv.conf "$root/etc/resolv.conf"
  mount -t proc proc "$root/proc"
  mount --bind /dev "$root/dev" # not what is mounted in it: no /dev/pts, no /dev/shm
  chroot "$root" useradd --create-home somebody
}

remove_bare_debian() {
  local mounted
  for mounted in dev proc; do
    ! mountpoint -q "$root/$mounted" || umount "$root/$mounted" || umount --lazy "$root/$mounted"
  done
  rm -rf --one-file-system "$bare_folder"
}

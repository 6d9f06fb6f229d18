// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/finding_stream.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "error.hpp"

namespace warpz {
namespace {

/// In the child: the descriptor to send to, and its file, as a program may close all descriptors and open others with
/// the same numbers.
int sending = -1;
ino_t sending_inode = 0;

/// One of the accesses is an atomic, and the other a plain read.
bool has_read_and_atomic(const warpz_finding& race) {
  const auto has = [&](warpz_lane_state state) {
    return race.groups[0].state == state || race.groups[1].state == state;
  };
  return has(WARPZ_LANE_ATOMIC) && has(WARPZ_LANE_READ);
}

/// Whether it is about an error that the program may look at later.
bool may_be_withdrawn(const warpz_finding& each) {
  return each.kind == WARPZ_UNCHECKED_ERROR || each.kind == WARPZ_INVALID_LAUNCH;
}

/// A finding that is found again is not sent again: the child changes its record. A warning may become an error; an
/// error may become a warning only where a compare-and-swap has checked what was read, or where the finding follows
/// from another one.
void add_repetitions(warpz_finding& taken, const warpz_finding& shared) {
  if (shared.kind != taken.kind) return;
  if (shared.address != taken.address) {
    // The record has another read now: the first one only came too early.
    if (taken.kind != WARPZ_UNINITIALISED_READ) return;
    const std::uint32_t severity = taken.severity;
    taken = shared;
    taken.severity = severity;
  }
  taken.repeats = std::max(taken.repeats, shared.repeats);
  taken.relation = std::max(taken.relation, shared.relation);
  taken.pattern = shared.pattern;
  taken.is_effect = shared.is_effect;
  if (may_be_withdrawn(taken)) taken.is_withdrawn = shared.is_withdrawn;
  if (shared.severity == WARPZ_ERROR) {
    taken.severity = WARPZ_ERROR;
  } else if (shared.pattern == WARPZ_RACE_CHECKED_READ && has_read_and_atomic(taken)) {
    taken.severity = WARPZ_WARNING;
  }
}

}  // namespace

void drop_effects(std::vector<warpz_finding>& findings) {
  std::erase_if(findings, [](const warpz_finding& each) { return may_be_withdrawn(each) && each.is_withdrawn != 0; });
  const auto is_race = [](const warpz_finding& each) {
    return each.kind == WARPZ_DATA_RACE && each.severity == WARPZ_ERROR;
  };
  if (std::none_of(findings.begin(), findings.end(), is_race)) return;
  std::erase_if(findings,
                [](const warpz_finding& each) { return each.kind == WARPZ_UNINITIALISED_READ && each.is_effect != 0; });
}

finding_stream::finding_stream() {
  // Not a pipe: the child could open that a second time, and read from it.
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
    throw error(exit_code::no_device, fmt::format("socketpair: {}", std::strerror(errno)));
  }
  parent_end_ = os::descriptor(ends[0]);
  child_end_ = os::descriptor(ends[1]);
}

void finding_stream::enter_child() {
  parent_end_.close();
  struct stat found {};
  if (fstat(child_end_.number(), &found) != 0) return;
  sending = child_end_.number();
  sending_inode = found.st_ino;
}

void finding_stream::send(const warpz_finding* found) {
  struct stat now {};
  if (fstat(sending, &now) != 0 || now.st_ino != sending_inode) return;
  while (::send(sending, found, sizeof *found, MSG_NOSIGNAL) < 0 && errno == EINTR) {
  }
}

void finding_stream::pump() {
  // With an end: code that never stops sending must not keep this process from checking the time.
  for (int i = 0; i < 2 * WARPZ_MAX_FINDINGS; ++i) {
    warpz_finding found;
    const ssize_t count = recv(parent_end_.number(), &found, sizeof found, MSG_DONTWAIT);
    if (count == 0) parent_end_.close();
    if (count <= 0) return;
    const bool is_whole = static_cast<std::size_t>(count) == sizeof found;
    if (is_whole && taken_.size() < WARPZ_MAX_FINDINGS) taken_.push_back(found);
  }
}

std::vector<warpz_finding> finding_stream::all(const warpz_result& shared) const {
  std::vector<warpz_finding> found = taken_;
  for (std::size_t i = 0; i < found.size(); ++i) add_repetitions(found[i], shared.findings[i]);
  const std::uint32_t count = std::min<std::uint32_t>(shared.finding_count, WARPZ_MAX_FINDINGS);
  for (std::size_t i = found.size(); i < count; ++i) found.push_back(shared.findings[i]);
  drop_effects(found);
  return found;
}

}  // namespace warpz

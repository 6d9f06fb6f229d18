// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sends findings to the process that reports them, while the kernel runs: a kernel that overwrites the memory in which
// they were made cannot withdraw them.
#pragma once

#include <poll.h>

#include <vector>

#include "abi/module.h"
#include "system/descriptor.hpp"

namespace warpz {

class finding_stream {
 public:
  /// Throws error(no_device) if there is no socket.
  finding_stream();

  /// In the child: send() sends here.
  void enter_child();
  /// The child's end, in the child.
  int child_end() const { return child_end_.number(); }

  /// In the child: sends a complete finding. A signal handler may call it.
  static void send(const warpz_finding* found);

  /// In this process, once the child is started.
  void close_child_end() { child_end_.close(); }

  /// Adds the descriptor that is ready when pump() has something to do.
  void add_pollfds(std::vector<pollfd>& polled) const { polled.push_back({parent_end_.number(), POLLIN, 0}); }

  /// Takes what has been sent.
  void pump();

  /// Forgets what has been taken.
  void clear() { taken_.clear(); }

  /// All findings: those that were sent, and those that are only in the memory `shared` with the child. There the child
  /// also counts repetitions of a finding that it has sent, and turns a warning into an error.
  std::vector<warpz_finding> all(const warpz_result& shared) const;

 private:
  os::descriptor parent_end_, child_end_;
  std::vector<warpz_finding> taken_;
};

/// Removes findings that only follow from a data race which is also reported. The records come from a process that may
/// have written anything over them.
void drop_effects(std::vector<warpz_finding>& findings);

}  // namespace warpz

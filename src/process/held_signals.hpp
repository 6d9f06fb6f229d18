// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The signals that ask a process to end: SIGINT, SIGTERM, SIGHUP and SIGQUIT.
#pragma once

#include <signal.h>

#include <optional>

#include "system/descriptor.hpp"

namespace warpz {

/// Blocks these signals during its lifetime, so that there is time to clean up. A signal that is still pending at the
/// end takes effect then.
class held_signals {
 public:
  held_signals();
  ~held_signals();
  held_signals(const held_signals&) = delete;
  held_signals& operator=(const held_signals&) = delete;

  static sigset_t ending_signals();

  /// Removes a pending signal, if there is one.
  static std::optional<siginfo_t> take();

  /// A descriptor that is readable while a signal is pending. take() works without it.
  static os::descriptor open_descriptor();

  /// For a child process, which starts with the blocked signals of its parent.
  static void unblock();

 private:
  sigset_t before_;
};

}  // namespace warpz

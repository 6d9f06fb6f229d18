// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/held_signals.hpp"

#include <sys/signalfd.h>
#include <time.h>

namespace warpz {

sigset_t held_signals::ending_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaddset(&set, number);
  return set;
}

held_signals::held_signals() {
  const sigset_t signals = ending_signals();
  pthread_sigmask(SIG_BLOCK, &signals, &before_);
}

held_signals::~held_signals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

std::optional<siginfo_t> held_signals::take() {
  const sigset_t signals = ending_signals();
  const timespec at_once{};
  siginfo_t taken;
  if (sigtimedwait(&signals, &taken, &at_once) < 0) return {};
  return taken;
}

os::descriptor held_signals::open_descriptor() {
  const sigset_t signals = ending_signals();
  return os::descriptor(signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
}

void held_signals::unblock() {
  const sigset_t signals = ending_signals();
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

}  // namespace warpz

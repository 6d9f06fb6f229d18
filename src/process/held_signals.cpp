// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/held_signals.hpp"

#include <sys/signalfd.h>
#include <time.h>

namespace warpz {
namespace {

sigset_t ending_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaddset(&set, number);
  return set;
}

}  // namespace

held_signals::held_signals() {
  const sigset_t ending = ending_signals();
  pthread_sigmask(SIG_BLOCK, &ending, &before_);
}

held_signals::~held_signals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

bool held_signals::is_pending() {
  const sigset_t ending = ending_signals();
  sigset_t pending;
  sigpending(&pending);
  sigandset(&pending, &pending, &ending);
  return sigisemptyset(&pending) == 0;
}

std::optional<siginfo_t> held_signals::take() {
  const sigset_t ending = ending_signals();
  const timespec at_once{};
  siginfo_t taken;
  if (sigtimedwait(&ending, &taken, &at_once) < 0) return {};
  return taken;
}

os::descriptor held_signals::open_descriptor() {
  const sigset_t ending = ending_signals();
  return os::descriptor(signalfd(-1, &ending, SFD_CLOEXEC | SFD_NONBLOCK));
}

void held_signals::unblock() {
  const sigset_t ending = ending_signals();
  pthread_sigmask(SIG_UNBLOCK, &ending, nullptr);
}

}  // namespace warpz

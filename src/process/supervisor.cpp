// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/supervisor.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <vector>

#include "process/held_signals.hpp"
#include "system/processes.hpp"
#include "system/temporary_path.hpp"

namespace warpz {
namespace {

using clock = std::chrono::steady_clock;

/// How long the work may take to end after a signal that asks it to. A user's program gets two of these seconds.
constexpr std::chrono::seconds grace_of_work{4};

/// This signal tells a supervisor that the one above it has ended.
int end_of_parent() { return SIGRTMIN; }

/// The signals that a supervisor waits for, except those that the caller has ignored.
sigset_t awaited_signals() {
  sigset_t set = held_signals::ending_signals();
  for (int number = 1; number < SIGRTMIN; ++number) {
    struct sigaction action {};
    if (sigismember(&set, number) == 1 && sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN) {
      sigdelset(&set, number);
    }
  }
  sigaddset(&set, SIGCHLD);
  sigaddset(&set, end_of_parent());
  return set;
}

/// Ends this process as the child has ended.
[[noreturn]] void end_like(int status) {
  if (WIFEXITED(status)) _exit(WEXITSTATUS(status));
  // Only the process that did the work should leave a core file.
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  const int number = WTERMSIG(status);
  signal(number, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, number);
  raise(number);
  sigprocmask(SIG_UNBLOCK, &only, nullptr);
  _exit(128 + number);
}

class supervisor {
 public:
  /// `above` is the supervisor above this one; 0: there is none.
  supervisor(pid_t child, pid_t above, const sigset_t& awaited) : child_(child), above_(above), awaited_(awaited) {}

  /// Waits for the child's end. The status is waitpid()'s, or says which signal the child has ignored.
  int wait() {
    bool is_overdue = false;
    while (!has_ended()) {
      is_overdue = asked_by_ != 0 && clock::now() > asked_at_ + grace_of_work;
      if (is_overdue || (above_ != 0 && getppid() != above_)) kill(child_, SIGKILL);
      const timespec a_moment{asked_by_ != 0 ? 0 : 3600, 100'000'000};
      siginfo_t taken;
      if (sigtimedwait(&awaited_, &taken, &a_moment) > 0) forward(taken);
    }
    return is_overdue ? W_EXITCODE(0, asked_by_) : status_;
  }

 private:
  void forward(const siginfo_t& taken) {
    if (taken.si_signo == SIGCHLD || taken.si_signo == end_of_parent()) return;
    // A terminal sends its signals to all of these processes itself.
    if (taken.si_code != SI_KERNEL) kill(child_, taken.si_signo);
    if (asked_by_ == 0) asked_at_ = clock::now();
    asked_by_ = taken.si_signo;
  }

  /// Reaps the child, and others that have lost their parents.
  bool has_ended() {
    int status = 0;
    for (pid_t ended = 0; (ended = waitpid(-1, &status, WNOHANG)) > 0;) {
      if (ended != child_) continue;
      status_ = status;
      return true;
    }
    return false;
  }

  const pid_t child_;
  const pid_t above_;
  const sigset_t awaited_;
  int asked_by_ = 0;  ///< the last signal that asked to end; 0: none
  clock::time_point asked_at_;
  int status_ = 0;
};

/// Forks. Returns in the child, with the number of the supervisor above it. Without another process it returns in this
/// one, with its `above`.
pid_t supervise(pid_t above) {
  const sigset_t awaited = awaited_signals();
  sigset_t before;
  sigprocmask(SIG_BLOCK, &awaited, &before);
  const std::vector<pid_t> earlier = os::children();
  os::adopt_orphans();
  const pid_t own = getpid();
  const pid_t child = fork();
  if (child <= 0) {
    if (child == 0) prctl(PR_SET_PDEATHSIG, above == 0 ? end_of_parent() : SIGKILL);
    // It may have ended before the call.
    if (child == 0 && getppid() != own) _exit(0);
    sigprocmask(SIG_SETMASK, &before, nullptr);
    return child == 0 ? own : above;
  }
  const int status = supervisor(child, above, awaited).wait();
  os::end_descendants(earlier);
  os::remove_temporary_paths();
  end_like(status);
}

}  // namespace

void work_supervised() {
  // Children have to be reaped, even if the caller has ignored SIGCHLD.
  signal(SIGCHLD, SIG_DFL);
  os::share_temporary_paths();
  std::fflush(nullptr);
  supervise(supervise(0));
  os::withhold_temporary_paths();
}

}  // namespace warpz

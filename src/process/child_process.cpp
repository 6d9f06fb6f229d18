// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/child_process.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <mutex>

#include "process/held_signals.hpp"
#include "system/processes.hpp"

namespace warpz {
namespace {

constexpr int poll_milliseconds = 50;

/// The children of this process that have a child_process, and those that it had before. All others were started by
/// them. Compilers are run by several threads.
class known_children {
 public:
  static void add(pid_t child) {
    const std::lock_guard<std::mutex> lock(mutex());
    list().push_back(child);
  }
  static void remove(pid_t child) {
    const std::lock_guard<std::mutex> lock(mutex());
    std::erase(list(), child);
  }
  static std::vector<pid_t> all_but(pid_t child) {
    const std::lock_guard<std::mutex> lock(mutex());
    std::vector<pid_t> others = list();
    std::erase(others, child);
    return others;
  }

 private:
  static std::mutex& mutex() {
    static std::mutex only;
    return only;
  }
  static std::vector<pid_t>& list() {
    static std::vector<pid_t> children = os::children();
    return children;
  }
};

}  // namespace

child_process::child_process(const child_options& options, const std::function<void()>& body) : options_(options) {
  if (options.owns_descendants) os::adopt_orphans();
  // A first call after the fork would count this child among those that were there before.
  static_cast<void>(siblings());
  // Buffered text must not be written twice.
  std::fflush(nullptr);
  const pid_t parent = getpid();
  id_ = fork();
  if (id_ < 0) {
    start_error_ = errno;
    return;
  }
  if (id_ == 0) {
    if (options.own_group) setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // The parent may have ended before that call.
    if (getppid() != parent) _exit(0);
    held_signals::unblock();
    body();
    _exit(127);
  }
  // Both processes do this, because either may be the first to need it.
  if (options.own_group) setpgid(id_, id_);
  ended_ = os::descriptor(static_cast<int>(syscall(SYS_pidfd_open, id_, 0)));
  known_children::add(id_);
}

bool child_process::wait(std::vector<pollfd> polled) const {
  polled.push_back({ended_.number(), POLLIN, 0});
  poll(polled.data(), polled.size(), poll_milliseconds);
  return has_ended();
}

/// Leaves the child to be reaped, so that its number stays its own.
bool child_process::has_ended() const {
  siginfo_t found{};
  if (waitid(P_PID, static_cast<id_t>(id_), &found, WEXITED | WNOHANG | WNOWAIT | __WALL) != 0) return errno != EINTR;
  // A child that asked to be traced: nobody else would continue it.
  if (found.si_code == CLD_TRAPPED) send(SIGKILL);
  return found.si_pid == id_ && found.si_code != CLD_TRAPPED;
}

void child_process::send(int signal) const { kill(id_, signal); }

void child_process::end() noexcept {
  if (id_ <= 0) return;
  if (options_.own_group) kill(-id_, SIGKILL);
  send(SIGKILL);
  while (!wait()) os::reap_threads(id_);
  waitpid(id_, &status_, __WALL);
  ended_.close();
  known_children::remove(id_);
  if (options_.owns_descendants) os::end_descendants(siblings());
  id_ = -1;
}

std::vector<pid_t> child_process::siblings() const { return known_children::all_but(id_); }

}  // namespace warpz

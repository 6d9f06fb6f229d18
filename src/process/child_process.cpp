// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/child_process.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
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

/// In a process that has changed places: where its status goes, and the process that waits for it.
int status_channel = -1;
pid_t other_process = -1;

}  // namespace

child_process::child_process(const child_options& options, const std::function<void()>& body) : options_(options) {
  if (options.owns_descendants) os::adopt_orphans();
  // Called first after the fork, it would count this child among those that were there before.
  static_cast<void>(siblings());
  // Buffered text must not be written twice.
  std::fflush(nullptr);
  options.changes_places ? change_places(body) : start(body);
}

void child_process::start(const std::function<void()>& body) {
  const pid_t parent = getpid();
  id_ = fork();
  if (id_ < 0) {
    start_error_ = errno;
    return;
  }
  if (id_ == 0) {
    if (options_.own_group) setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // The parent may have ended before the call.
    if (getppid() != parent) _exit(0);
    held_signals::unblock();
    body();
    _exit(127);
  }
  // In both processes, because either may be the first to need it.
  if (options_.own_group) setpgid(id_, id_);
  ended_ = os::descriptor(static_cast<int>(syscall(SYS_pidfd_open, id_, 0)));
  known_children::add(id_);
}

void child_process::change_places(const std::function<void()>& body) {
  // Not a pipe: writing to one without a reader raises a signal, at which a debugger would stop.
  int ends[2];
  const bool is_open = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0;
  const pid_t caller = getpid();
  const pid_t forked = is_open ? fork() : -1;
  if (forked < 0) {
    start_error_ = errno;
    return;
  }
  if (forked > 0) {
    close(ends[0]);
    status_channel = ends[1];
    other_process = forked;
    held_signals::unblock();
    body();
    end_body(0);
  }
  // The terminal's signals are for the debugger, and output to the terminal still has to work.
  setpgid(0, 0);
  signal(SIGTTOU, SIG_IGN);
  id_ = caller;
  close(ends[1]);
  ended_ = os::descriptor(ends[0]);
}

void child_process::end_body(int exit_code) {
  if (other_process < 0) return;
  const int status = W_EXITCODE(exit_code, 0);
  static_cast<void>(::send(status_channel, &status, sizeof status, MSG_NOSIGNAL));
  int ended = 0;
  while (waitpid(other_process, &ended, 0) < 0 && errno == EINTR) {
  }
  _exit(WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + WTERMSIG(ended));
}

bool child_process::wait(std::vector<pollfd> polled) const {
  polled.push_back({ended_.number(), POLLIN, 0});
  poll(polled.data(), polled.size(), poll_milliseconds);
  return has_ended();
}

/// Leaves the child to be reaped, so that its number is not reused.
bool child_process::has_ended() const {
  if (options_.changes_places) {
    pollfd ended{ended_.number(), POLLIN, 0};
    return poll(&ended, 1, 0) > 0;
  }
  siginfo_t found{};
  if (waitid(P_PID, static_cast<id_t>(id_), &found, WEXITED | WNOHANG | WNOWAIT | __WALL) != 0) return errno != EINTR;
  // A child that has asked to be traced is stopped now, and nobody else would continue it.
  if (found.si_code == CLD_TRAPPED) send(SIGKILL);
  return found.si_pid == id_ && found.si_code != CLD_TRAPPED;
}

void child_process::send(int signal) const { kill(id_, signal); }

double child_process::processor_seconds() const { return os::processor_seconds_of(id_); }

std::uint64_t child_process::bytes_read() const { return os::bytes_read_by(id_); }

void child_process::end() noexcept {
  if (id_ <= 0) return;
  if (options_.changes_places) return take_status();
  if (options_.own_group) kill(-id_, SIGKILL);
  send(SIGKILL);
  while (!wait()) os::reap_threads(id_);
  waitpid(id_, &status_, __WALL);
  ended_.close();
  known_children::remove(id_);
  if (options_.owns_descendants) os::end_descendants(siblings());
  id_ = -1;
}

/// Takes the status that a process which has changed places with this one has sent.
void child_process::take_status() {
  // The other process was killed: the debugger has reported it, and nobody waits for this one any more.
  if (has_ended() && read(ended_.number(), &status_, sizeof status_) != sizeof status_) _exit(0);
  id_ = -1;
}

std::vector<pid_t> child_process::siblings() const { return known_children::all_but(id_); }

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/command.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <utility>

namespace warpz {
namespace {

using clock = std::chrono::steady_clock;

sigset_t ending_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaddset(&set, number);
  return set;
}

bool one_waits() {
  const sigset_t ending = ending_signals();
  sigset_t waiting;
  sigpending(&waiting);
  sigandset(&waiting, &waiting, &ending);
  return sigisemptyset(&waiting) == 0;
}

class descriptor {
 public:
  explicit descriptor(int number = -1) : number_(number) {}
  ~descriptor() { close(); }
  descriptor(descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  descriptor& operator=(descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  int number() const { return number_; }
  void close() {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
  }

 private:
  int number_;
};

struct both_ends {
  descriptor reading, writing;
};

bool make_pipe(both_ends& into) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return false;
  into.reading = descriptor(ends[0]);
  into.writing = descriptor(ends[1]);
  return true;
}

/// What execve() takes. Made before the fork: a child of a process with several threads may not allocate.
struct exec_arguments {
  explicit exec_arguments(const command& what) {
    for (const std::string& word : what.words) words.push_back(const_cast<char*>(word.c_str()));
    for (const std::string& each : what.environment) environment.push_back(const_cast<char*>(each.c_str()));
    const auto is_given = [&](std::string_view inherited) {
      const std::string_view name = inherited.substr(0, inherited.find('=') + 1);
      return std::any_of(what.environment.begin(), what.environment.end(),
                         [name](const std::string& each) { return each.starts_with(name); });
    };
    for (char** each = environ; each != nullptr && *each != nullptr; ++each) {
      if (!is_given(*each)) environment.push_back(*each);
    }
    words.push_back(nullptr);
    environment.push_back(nullptr);
  }

  std::vector<char*> words;
  std::vector<char*> environment;
};

/// The child's side: becomes the command, or tells the errno.
[[noreturn]] void become(const exec_arguments& what, pid_t parent, int output, int failure) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  const int nothing = open("/dev/null", O_RDONLY);
  if (nothing >= 0) dup2(nothing, STDIN_FILENO);
  signal(SIGPIPE, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  execve(what.words[0], what.words.data(), what.environment.data());
  const int reason = errno;
  static_cast<void>(!write(failure, &reason, sizeof reason));
  _exit(127);
}

/// Takes what is there; false at the end.
bool take(int from, std::string& into) {
  std::array<char, 65536> piece;
  const ssize_t count = read(from, piece.data(), piece.size());
  if (count > 0) {
    into.append(piece.data(), std::min(static_cast<std::size_t>(count), max_output - into.size()));
    return true;
  }
  return count < 0 && (errno == EAGAIN || errno == EINTR);
}

/// Follows the command until it ends or has to be ended.
command_end::how follow(int ended, int output, double seconds, std::string& into) {
  const auto begin = clock::now();
  bool open = true;
  for (;;) {
    pollfd watched[] = {{ended, POLLIN, 0}, {open ? output : -1, POLLIN, 0}};
    poll(watched, 2, 50);
    if (watched[1].revents != 0) open = take(output, into);
    // A process that the command started may keep the pipe open: only what is there already still counts.
    if (watched[0].revents != 0 || (ended < 0 && !open)) {
      for (pollfd rest{output, POLLIN, 0}; open && poll(&rest, 1, 0) > 0;) open = take(output, into);
      return command_end::how::exited;
    }
    if (one_waits()) return command_end::how::interrupted;
    if (std::chrono::duration<double>(clock::now() - begin).count() > seconds) return command_end::how::overdue;
  }
}

}  // namespace

command_end run_command(const command& what, double seconds) {
  const auto not_started = [](int reason) { return command_end{command_end::how::not_started, reason, {}}; };
  both_ends output, failure;
  if (!make_pipe(output) || !make_pipe(failure)) return not_started(errno);
  fcntl(output.reading.number(), F_SETFL, O_NONBLOCK);
  const pid_t parent = getpid();
  const exec_arguments arguments(what);
  const pid_t child = fork();
  if (child < 0) return not_started(errno);
  if (child == 0) become(arguments, parent, output.writing.number(), failure.writing.number());
  setpgid(child, child);
  output.writing.close();
  failure.writing.close();
  const descriptor ended(static_cast<int>(syscall(SYS_pidfd_open, child, 0)));

  command_end result;
  result.end = follow(ended.number(), output.reading.number(), seconds, result.output);
  kill(-child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  int reason = 0;
  if (read(failure.reading.number(), &reason, sizeof reason) == sizeof reason) return not_started(reason);
  if (result.end == command_end::how::exited && WIFSIGNALED(status)) result.end = command_end::how::killed;
  result.number = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  return result;
}

signals_held::signals_held() {
  const sigset_t ending = ending_signals();
  sigprocmask(SIG_BLOCK, &ending, &before_);
}

signals_held::~signals_held() { sigprocmask(SIG_SETMASK, &before_, nullptr); }

std::string find_program(std::string_view word, const std::vector<std::string>& folders) {
  const auto is_program = [](const std::string& path) {
    struct stat found {};
    return stat(path.c_str(), &found) == 0 && S_ISREG(found.st_mode) && access(path.c_str(), X_OK) == 0;
  };
  if (word.find('/') != std::string_view::npos) return is_program(std::string(word)) ? std::string(word) : "";
  std::vector<std::string> searched;
  const char* const path = std::getenv("PATH");
  for (std::string_view rest = path != nullptr ? path : ""; !rest.empty();) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
    // An empty entry is the folder one happens to be in: not where a compiler should come from.
    if (!folder.empty()) searched.emplace_back(folder);
  }
  searched.insert(searched.end(), folders.begin(), folders.end());
  for (const std::string& folder : searched) {
    std::string candidate = folder + "/" + std::string(word);
    if (is_program(candidate)) return candidate;
  }
  return {};
}

}  // namespace warpz

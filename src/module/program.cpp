// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/program.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <utility>

#include "error.hpp"
#include "module/device_error.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

/// How long a program may take to end after a signal that asks it to.
constexpr std::chrono::seconds grace_after_signal{2};

constexpr int ending_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

sigset_t set_of_ending_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : ending_signals) sigaddset(&set, number);
  return set;
}

error no_process(const char* what) { return {exit_code::no_device, fmt::format("{}: {}", what, std::strerror(errno))}; }

/// Processes whose parent is this one.
std::vector<pid_t> children() {
  std::ifstream list(fmt::format("/proc/self/task/{}/children", getpid()));
  std::vector<pid_t> found;
  for (pid_t each = 0; list >> each;) found.push_back(each);
  return found;
}

}  // namespace

struct running_program::shared_pages {
  warpz_result result;
  std::uint64_t base;
  char load_error[512];
  std::uint32_t ended_itself;  ///< what runs at the end of a process has run
};

namespace {

std::uint32_t* ended_itself = nullptr;

/// The child's whole life.
template <class Shared>
[[noreturn]] void become(warpz_module_entry* machine, const program_run& what, int output, Shared& shared) {
  if (what.prints_to_error) output = STDERR_FILENO;
  if (output >= 0) dup2(output, STDOUT_FILENO);
  if (const int nothing = what.is_silent ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1; nothing >= 0) {
    dup2(nothing, STDERR_FILENO);
  }
  signal(SIGPIPE, SIG_DFL);
  // Before any of the program's own, so that it runs last.
  ended_itself = &shared.ended_itself;
  std::atexit([] { *ended_itself = 1; });
  machine()->begin_program(&what.how, &shared.result);
  void* const library = dlopen(what.library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    std::snprintf(shared.load_error, sizeof shared.load_error, "%s", dlerror());
    _exit(127);
  }
  using main_function = int(int, char**, char**);
  main_function* const entry = reinterpret_cast<main_function*>(dlsym(library, "main"));
  if (entry == nullptr) {
    std::snprintf(shared.load_error, sizeof shared.load_error, "undefined symbol: main");
    _exit(127);
  }
  Dl_info place{};
  if (dladdr(reinterpret_cast<void*>(entry), &place) != 0)
    shared.base = reinterpret_cast<std::uintptr_t>(place.dli_fbase);
  // The program may change them, and they outlive main: static objects may have kept them.
  static std::vector<std::string> words;
  static std::vector<char*> pointers;
  words = what.arguments;
  for (std::string& each : words) pointers.push_back(each.data());
  pointers.push_back(nullptr);
  std::exit(entry(static_cast<int>(words.size()), pointers.data(), environ));
}

}  // namespace

running_program::running_program(warpz_module_entry* machine, const program_run& what) : what_(what) {
  int ends[2] = {-1, -1};
  if (what.take_output && pipe2(ends, O_CLOEXEC) != 0) throw no_process("no pipe for what the program prints");
  void* const shared = mmap(nullptr, sizeof(shared_pages), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) throw no_process("no memory to share with the program's process");
  shared_ = static_cast<shared_pages*>(shared);
  others_ = children();
  // What it starts and leaves behind becomes a child of this process, which ends it.
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const sigset_t ending = set_of_ending_signals();
  sigset_t before;
  sigprocmask(SIG_BLOCK, &ending, &before);
  // What is still buffered must not be written twice.
  std::fflush(nullptr);
  const pid_t parent = getpid();
  child_ = fork();
  if (child_ == 0) {
    prctl(PR_SET_CHILD_SUBREAPER, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(0);
    sigprocmask(SIG_SETMASK, &before, nullptr);
    become(machine, what, ends[1], *shared_);
  }
  if (ends[1] >= 0) {
    close(ends[1]);
    printed_ = ends[0];
    fcntl(printed_, F_SETFL, O_NONBLOCK);
  }
  if (child_ < 0) {
    const error reason = no_process("the program's process could not be started");
    munmap(shared_, sizeof(shared_pages));
    throw error(reason);
  }
}

running_program::~running_program() {
  end_all();
  if (printed_ >= 0) close(printed_);
  munmap(shared_, sizeof(shared_pages));
  const sigset_t ending = set_of_ending_signals();
  // One that came meanwhile acts now.
  sigprocmask(SIG_UNBLOCK, &ending, nullptr);
}

/// Ends the program and all that it started; whatever lost its parent by that has become a child of this process.
void running_program::end_all() noexcept {
  for (;;) {
    std::vector<pid_t> left = children();
    std::erase_if(left,
                  [this](pid_t each) { return std::find(others_.begin(), others_.end(), each) != others_.end(); });
    if (left.empty()) break;
    for (const pid_t each : left) kill(each, SIGKILL);
    for (const pid_t each : left) {
      while (waitpid(each, nullptr, __WALL) < 0 && errno == EINTR) {
      }
    }
  }
  child_ = -1;
}

/// What the program has printed and nobody has taken yet; false at its end.
bool running_program::take_what_is_there() const {
  for (;;) {
    std::array<char, 65536> piece;
    const ssize_t count = read(printed_, piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return count < 0 && errno == EAGAIN;
    what_.take_output({piece.data(), static_cast<std::size_t>(count)});
  }
}

program_end running_program::wait() {
  using clock = std::chrono::steady_clock;
  const sigset_t ending = set_of_ending_signals();
  const int signals = signalfd(-1, &ending, SFD_CLOEXEC | SFD_NONBLOCK);
  const int ended = static_cast<int>(syscall(SYS_pidfd_open, child_, 0));
  int ended_by = 0;
  clock::time_point asked_to_end{};
  program_end result;
  bool prints = printed_ >= 0;
  for (;;) {
    const pid_t found = waitpid(child_, &result.status, WNOHANG);
    if (found == child_ || (found < 0 && errno != EINTR)) break;
    if (ended_by != 0 && clock::now() > asked_to_end + grace_after_signal) kill(child_, SIGKILL);
    pollfd watched[] = {{ended, POLLIN, 0}, {signals, POLLIN, 0}, {prints ? printed_ : -1, POLLIN, 0}};
    // Without the descriptors, which a full table of them may cost, this looks from time to time.
    poll(watched, 3, 100);
    if (prints) prints = take_what_is_there();
    signalfd_siginfo came{};
    if (signals < 0 || read(signals, &came, sizeof came) != sizeof came) continue;
    // What a terminal sends, it sends to the program as well.
    if (came.ssi_code != SI_KERNEL) kill(child_, static_cast<int>(came.ssi_signo));
    if (std::exchange(ended_by, static_cast<int>(came.ssi_signo)) == 0) asked_to_end = clock::now();
  }
  if (signals >= 0) close(signals);
  if (ended >= 0) close(ended);
  end_all();
  if (prints) take_what_is_there();
  if (ended_by != 0) raise(ended_by);
  const std::string reason(bounded(shared_->load_error));
  if (!reason.empty()) {
    throw error(exit_code::does_not_compile,
                printable(with_source_name(reason.starts_with(what_.library)
                                               ? what_.arguments.front() + reason.substr(what_.library.size())
                                               : reason)),
                "What the program calls has to be in its files, or in a library that --cxxflags links: -lname.");
  }
  const std::uint32_t count = std::min<std::uint32_t>(shared_->result.finding_count, WARPZ_MAX_FINDINGS);
  result.findings.assign(shared_->result.findings, shared_->result.findings + count);
  result.stopped = count != 0 && shared_->ended_itself == 0 && WIFEXITED(result.status);
  result.findings_left_out = shared_->result.findings_left_out;
  result.base = shared_->base;
  return result;
}

}  // namespace warpz

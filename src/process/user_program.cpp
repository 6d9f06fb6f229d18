// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/user_program.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "error.hpp"
#include "process/device_error.hpp"
#include "process/process_limits.hpp"
#include "system/processes.hpp"
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

bool can_be_written(int descriptor) {
  const int flags = fcntl(descriptor, F_GETFL);
  return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

/// A terminal keeps nothing, and a program may want to know that it has one.
bool is_relayed(int descriptor) { return can_be_written(descriptor) && isatty(descriptor) == 0; }

/// Also where one of them was made from the other: what is written to both keeps its order.
bool is_same_file(int one, int other) {
  struct stat a {};
  struct stat b {};
  return fstat(one, &a) == 0 && fstat(other, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/// Where what the program prints goes, as far as this process has to pass it on.
void plan_output(output_relay& relay, const program_run& what) {
  constexpr int out = STDOUT_FILENO, err = STDERR_FILENO;
  const bool err_is_relayed = !what.is_silent && is_relayed(err);
  if (what.take_output) {
    relay.add({out}, what.take_output);
    if (err_is_relayed) relay.add({err}, err);
  } else if (what.prints_to_error) {
    if (err_is_relayed) relay.add({out, err}, err);
  } else if (is_relayed(out) && err_is_relayed && is_same_file(out, err)) {
    relay.add({out, err}, out);
  } else {
    if (is_relayed(out)) relay.add({out}, out);
    if (err_is_relayed) relay.add({err}, err);
  }
}

}  // namespace

struct user_program::shared_pages {
  warpz_result result;
  std::uint64_t base;
  char load_error[512];
  std::uint32_t ended_itself;  ///< what runs at the end of a process has run
};

namespace {

std::uint32_t* ended_itself = nullptr;

/// The child's whole life.
template <class Shared>
[[noreturn]] void become(warpz_module_entry* machine, const program_run& what, const output_relay& relay,
                         Shared& shared) {
  if (what.prints_to_error) dup2(STDERR_FILENO, STDOUT_FILENO);
  relay.become();
  if (what.input != nullptr) what.input->become();
  if (const int nothing = what.is_silent ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1; nothing >= 0) {
    dup2(nothing, STDERR_FILENO);
  }
  signal(SIGPIPE, SIG_DFL);
  // Before any of the program's own, so that it runs last.
  ended_itself = &shared.ended_itself;
  std::atexit([] { *ended_itself = 1; });
  machine()->begin_user_program(what.warp_size, &what.settings, &shared.result);
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

user_program::user_program(warpz_module_entry* machine, const program_run& what) : what_(what) {
  plan_output(relay_, what);
  void* const shared = mmap(nullptr, sizeof(shared_pages), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) throw no_process("no memory to share with the program's process");
  shared_ = static_cast<shared_pages*>(shared);
  if (what.input != nullptr) what.input->begin();
  others_ = os::children();
  // What it starts and leaves behind becomes a child of this process, which ends it.
  os::adopt_orphans();
  const sigset_t ending = set_of_ending_signals();
  sigset_t before;
  sigprocmask(SIG_BLOCK, &ending, &before);
  // What is still buffered must not be written twice.
  std::fflush(nullptr);
  const pid_t parent = getpid();
  child_ = fork();
  if (child_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(0);
    sigprocmask(SIG_SETMASK, &before, nullptr);
    become(machine, what, relay_, *shared_);
  }
  relay_.is_taken();
  if (what.input != nullptr) what.input->is_taken();
  if (child_ < 0) {
    const error reason = no_process("the program's process could not be started");
    munmap(shared_, sizeof(shared_pages));
    throw error(reason);
  }
}

user_program::~user_program() {
  os::end_descendants(others_);
  munmap(shared_, sizeof(shared_pages));
  const sigset_t ending = set_of_ending_signals();
  // One that came meanwhile acts now.
  sigprocmask(SIG_UNBLOCK, &ending, nullptr);
}

program_end user_program::wait() {
  using clock = std::chrono::steady_clock;
  const sigset_t ending = set_of_ending_signals();
  const int signals = signalfd(-1, &ending, SFD_CLOEXEC | SFD_NONBLOCK);
  const int ended = static_cast<int>(syscall(SYS_pidfd_open, child_, 0));
  int ended_by = 0;
  clock::time_point asked_to_end{};
  program_end result;
  limit_monitor watch(what_.limits, others_);
  std::string passed_limit;
  for (;;) {
    const pid_t found = waitpid(child_, &result.status, WNOHANG);
    if (found == child_ || (found < 0 && errno != EINTR)) break;
    if (ended_by != 0 && clock::now() > asked_to_end + grace_after_signal) kill(child_, SIGKILL);
    if (passed_limit.empty() && !(passed_limit = watch.passed(relay_.count())).empty()) kill(child_, SIGKILL);
    std::vector<pollfd> awaited{{ended, POLLIN, 0}, {signals, POLLIN, 0}};
    relay_.await(awaited);
    if (what_.input != nullptr) what_.input->await(awaited);
    // Without the descriptors, which a full table of them may cost, this looks from time to time.
    poll(awaited.data(), awaited.size(), 50);
    relay_.pass_on();
    if (what_.input != nullptr) what_.input->pass_on();
    signalfd_siginfo came{};
    if (signals < 0 || read(signals, &came, sizeof came) != sizeof came) continue;
    // What a terminal sends, it sends to the program as well.
    if (came.ssi_code != SI_KERNEL) kill(child_, static_cast<int>(came.ssi_signo));
    if (std::exchange(ended_by, static_cast<int>(came.ssi_signo)) == 0) asked_to_end = clock::now();
  }
  if (ended >= 0) close(ended);
  if (what_.input != nullptr) what_.input->end();
  os::end_descendants(others_);
  // Who reads what it printed last may take his time, and a signal need not wait for him.
  while (ended_by == 0 && passed_limit.empty() && relay_.has_more()) {
    std::vector<pollfd> awaited{{signals, POLLIN, 0}};
    relay_.await(awaited);
    poll(awaited.data(), awaited.size(), -1);
    relay_.pass_on();
    signalfd_siginfo came{};
    if (signals >= 0 && read(signals, &came, sizeof came) == sizeof came) ended_by = static_cast<int>(came.ssi_signo);
  }
  if (signals >= 0) close(signals);
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
  if (!passed_limit.empty()) {
    // What it would have come to is not known.
    result.stopped = true;
    result.status = 0;
    result.findings.emplace_back();
    result.findings.back().kind = WARPZ_OVER_LIMIT;
    std::snprintf(result.findings.back().message, sizeof warpz_finding::message, "the program %s, and was stopped",
                  passed_limit.c_str());
  }
  result.base = shared_->base;
  result.trace = shared_->result.trace;
  return result;
}

}  // namespace warpz

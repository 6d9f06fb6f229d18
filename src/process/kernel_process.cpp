// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/kernel_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>

#include "error.hpp"
#include "process/device_error.hpp"
#include "process/kernel_protocol.hpp"
#include "system/processes.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

using clock = std::chrono::steady_clock;

/// How much longer than the kernel's own limit the parent waits before it kills the child on the CPU: the machine uses
/// that time to say where each lane is. A GPU has nothing more to say.
constexpr double grace_seconds = 2;

/// How long a device may take for what is not a kernel: coming up, or copying a buffer.
constexpr double device_seconds = 60;

/// Children of this process that no kernel_process has started, and those of all sessions: what else there is below it
/// was started by kernels.
std::vector<pid_t>& kept_processes() {
  static std::vector<pid_t> kept = os::children();
  return kept;
}

[[noreturn]] void fail_with_errno(const char* what) {
  throw error(exit_code::no_device, fmt::format("{}: {}", what, std::strerror(errno)));
}

warpz_finding finding_about(const kernel_run& what, warpz_finding_kind kind) {
  warpz_finding finding{};
  finding.kind = static_cast<std::uint32_t>(kind);
  std::snprintf(finding.kernel, sizeof finding.kernel, "%s", what.kernel.c_str());
  return finding;
}

}  // namespace

kernel_process::kernel_process(module_source source) : source_(std::move(source)) {
  void* const shared = mmap(nullptr, sizeof(shared_pages), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) fail_with_errno("no memory to share with the kernel's process");
  shared_ = static_cast<shared_pages*>(shared);
  arena_file_ = memfd_create("warpz-buffers", MFD_CLOEXEC);
  if (arena_file_ < 0) {
    const int reason = errno;
    munmap(shared_, sizeof(shared_pages));
    errno = reason;
    fail_with_errno("no memory to share with the kernel's process");
  }
}

kernel_process::~kernel_process() {
  stop();
  if (arena_ != nullptr) munmap(arena_, arena_bytes_);
  close(arena_file_);
  munmap(shared_, sizeof(shared_pages));
}

void kernel_process::start() {
  if (child_ > 0) return;
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) fail_with_errno("socketpair");
  // What is still buffered must not be written twice.
  std::fflush(nullptr);
  std::vector<pid_t>& kept = kept_processes();
  os::adopt_orphans();
  printed_.emplace();
  printed_->add({STDERR_FILENO}, STDERR_FILENO);
  // The child loads the module at once, so this is the last moment at which nobody else writes here.
  shared_->load_error[0] = '\0';
  const pid_t parent = getpid();
  child_ = fork();
  if (child_ < 0) {
    close(ends[0]);
    close(ends[1]);
    fail_with_errno("the kernel's process could not be started");
  }
  if (child_ == 0) {
    // What a kernel starts, and what it does to its process group, stays within its own.
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(0);
    close(ends[0]);
    printed_->become();
    child_main(source_, *shared_, ends[1], arena_file_);
  }
  setpgid(child_, child_);
  printed_->is_taken();
  kept.push_back(child_);
  close(ends[1]);
  channel_ = ends[0];
  child_ended_ = static_cast<int>(syscall(SYS_pidfd_open, child_, 0));
}

void kernel_process::stop() noexcept {
  if (child_ <= 0) return;
  // A child that is not idle has no reason to go on.
  kill(child_, SIGKILL);
  reap();
}

void kernel_process::reap() noexcept {
  // A thread of the child that traces itself has to be waited for as well: it keeps the process from ending.
  for (;;) {
    int status = 0;
    const pid_t ended = waitpid(-1, &status, __WALL);
    if (ended < 0 && errno == EINTR) continue;
    if (ended == child_ && !WIFSTOPPED(status)) exit_status_ = status;
    if (ended < 0 || (ended == child_ && !WIFSTOPPED(status))) break;
  }
  close(channel_);
  if (child_ended_ >= 0) close(child_ended_);
  channel_ = child_ended_ = -1;
  std::erase(kept_processes(), child_);
  child_ = -1;
  // Nor has what its kernels started.
  os::end_descendants(kept_processes());
  printed_->finish();
  printed_.reset();
}

bool kernel_process::kernel_was_running() const {
  return __atomic_load_n(&shared_->result.stage, __ATOMIC_ACQUIRE) == WARPZ_KERNEL_RUNNING;
}

kernel_process::reply kernel_process::ask(char command, double timeout_seconds, const process_limits& limits) {
  std::vector<pid_t> others = kept_processes();
  std::erase(others, child_);
  limit_monitor watch(limits, others, arena_bytes_);
  passed_limit_.clear();
  const std::uint64_t printed_before = printed_->count();
  // A kernel may write to any descriptor, so only an answer that comes with a status counts.
  char stray[256];
  while (recv(channel_, stray, sizeof stray, MSG_DONTWAIT) > 0) {
  }
  __atomic_store_n(&shared_->status, no_status, __ATOMIC_RELEASE);
  if (send(channel_, &command, 1, MSG_NOSIGNAL) != 1) return reply::gone;
  const double grace = vendor() == "cpu" ? grace_seconds : 0;
  std::uint64_t progress = __atomic_load_n(&shared_->result.progress, __ATOMIC_RELAXED);
  auto last_change = clock::now();
  for (;;) {
    // The end of the child is watched for itself: a process that the kernel started would keep the channel open.
    std::vector<pollfd> watched{{channel_, POLLIN, 0}, {child_ended_, POLLIN, 0}};
    printed_->await(watched);
    const int ready = poll(watched.data(), watched.size(), 50);
    if (ready < 0 && errno != EINTR) return reply::gone;
    printed_->pass_on();
    if (ready > 0 && (watched[0].revents != 0 || watched[1].revents != 0)) {
      char answer = 0;
      if (recv(channel_, &answer, 1, MSG_DONTWAIT) != 1) return reply::gone;
      if (answer == command && __atomic_load_n(&shared_->status, __ATOMIC_ACQUIRE) != no_status) {
        // What the kernel printed belongs before what is printed about it.
        printed_->finish();
        return reply::done;
      }
    }
    passed_limit_ = watch.passed(printed_->count() - printed_before);
    if (!passed_limit_.empty()) return reply::over_limit;
    const std::uint64_t now = __atomic_load_n(&shared_->result.progress, __ATOMIC_RELAXED);
    if (now != progress) {
      progress = now;
      last_change = clock::now();
    }
    const double waited = std::chrono::duration<double>(clock::now() - last_change).count();
    const bool for_kernel = command == command::run && kernel_was_running();
    const double limit = for_kernel ? timeout_seconds + grace : std::max(timeout_seconds, device_seconds);
    if (timeout_seconds > 0 && waited > limit) return reply::overdue;
  }
}

/// All but the findings' records, which would take memory that hardly a run needs.
void kernel_process::clear_result() { std::memset(&shared_->result, 0, offsetof(warpz_result, findings)); }

/// Waits a moment for a child that no longer answers, and takes its exit status. False where it lives on: a kernel can
/// close the channel and stay.
bool kernel_process::collect_end() {
  const auto last_moment = clock::now() + std::chrono::duration<double>(grace_seconds);
  for (bool has_ended = false; !has_ended;) {
    std::vector<pollfd> watched{{child_ended_, POLLIN, 0}};
    printed_->await(watched);
    poll(watched.data(), watched.size(), 50);
    printed_->pass_on();
    has_ended = watched[0].revents != 0;
    if (!has_ended && clock::now() > last_moment) return false;
  }
  kill(-child_, SIGKILL);
  printed_->finish();
  reap();
  return true;
}

/// How the last child ended.
std::string kernel_process::end_text() const {
  if (!WIFSIGNALED(exit_status_)) return fmt::format("ended with exit code {}", WEXITSTATUS(exit_status_));
  const int number = WTERMSIG(exit_status_);
  return fmt::format("was ended by signal {} ({})", number, strsignal(number));
}

/// A command about the device itself; `what` is done, "list the devices".
void kernel_process::ask_device(char command, const char* what) {
  start();
  clear_result();
  const reply how = ask(command, device_seconds);
  if (how != reply::done) {
    const bool ended = how == reply::gone && collect_end();
    stop();
    const std::string end = how == reply::overdue ? fmt::format("did not do so within {:g} seconds", device_seconds)
                            : how == reply::over_limit ? fmt::format("{}, and was stopped", passed_limit_)
                            : ended                    ? end_text()
                                                       : "cut itself off from the program";
    throw error(exit_code::no_device,
                fmt::format("the process that was to {}{} {}", what,
                            module_name().empty() ? "" : fmt::format(" with {}", module_name()), end),
                advice());
  }
  check_loaded();
  if (shared_->status != WARPZ_OK) throw device_error(shared_->result.error, vendor());
}

/// Throws where the child could not load the module.
void kernel_process::check_loaded() const {
  std::string reason(bounded(shared_->load_error));
  if (reason.empty()) return;
  if (source_.compiled_from.empty()) throw error(exit_code::no_device, reason, advice());
  if (reason.starts_with(source_.file)) reason.replace(0, source_.file.size(), source_.compiled_from);
  throw error(exit_code::does_not_compile, printable(with_source_name(reason)),
              "What a kernel calls has to be in its file, or in headers that the file includes.");
}

std::string kernel_process::advice() const {
  if (source_.compiled_from.empty()) return advice_for_module(source_.file);
  return "No kernel was running: look at the file's global objects, whose constructors run when it is loaded.";
}

std::span<const warpz_device> kernel_process::devices() {
  ask_device(command::list_devices, "list the devices");
  return {shared_->devices, std::min<std::size_t>(shared_->device_count, max_devices)};
}

void kernel_process::prepare(std::uint32_t device) {
  start();
  shared_->launch.device = device;
  ask_device(command::prepare, "bring the device up");
}

std::string kernel_process::vendor() const { return std::string(bounded(shared_->vendor)); }

void kernel_process::allocate(std::span<const std::uint64_t> bytes) {
  if (arena_ != nullptr) munmap(arena_, arena_bytes_);
  arena_ = nullptr;
  arena_bytes_ = 0;
  buffers_.clear();
  for (const std::uint64_t each : bytes) {
    buffers_.push_back({arena_bytes_, each});
    arena_bytes_ += buffers_.back().room();
  }
  // Shrinking to nothing first gives zeroed memory.
  if (ftruncate(arena_file_, 0) != 0 || ftruncate(arena_file_, static_cast<off_t>(arena_bytes_)) != 0) {
    fail_with_errno("no memory for the kernel's buffers");
  }
  void* const mapped = mmap(nullptr, arena_bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, arena_file_, 0);
  if (mapped == MAP_FAILED) {
    arena_bytes_ = 0;
    fail_with_errno("no memory for the kernel's buffers");
  }
  arena_ = static_cast<std::byte*>(mapped);
}

std::span<std::byte> kernel_process::buffer(std::size_t index) {
  const shared_buffer& found = buffers_[index];
  return {arena_ + found.offset + found.lead(), found.bytes};
}

bool kernel_process::buffers_are_whole() const {
  struct stat arena {};
  return fstat(arena_file_, &arena) == 0 && static_cast<std::uint64_t>(arena.st_size) >= arena_bytes_;
}

kernel_result kernel_process::run(const kernel_run& what) {
  start();
  shared_pages& shared = *shared_;
  std::snprintf(shared.kernel, sizeof shared.kernel, "%s", what.kernel.c_str());
  warpz_launch& launch = shared.launch;
  launch.device = what.device;
  std::memcpy(launch.grid, what.grid, sizeof launch.grid);
  std::memcpy(launch.block, what.block, sizeof launch.block);
  launch.argument_count = static_cast<std::uint32_t>(what.arguments.size());
  launch.warm_ups = what.warm_ups;
  launch.repeats = what.repeats;
  launch.settings = what.settings;
  std::copy(what.arguments.begin(), what.arguments.end(), shared.arguments);
  shared.buffer_count = static_cast<std::uint32_t>(buffers_.size());
  std::copy(buffers_.begin(), buffers_.end(), shared.buffers);
  shared.quiet = what.quiet;
  clear_result();

  const reply how = ask(command::run, what.settings.timeout_seconds, what.limits);
  if (how != reply::done) return stopped(what, how);
  check_loaded();

  kernel_result result;
  result.module_base = shared.module_base;
  if (!buffers_are_whole()) {
    stop();
    result.stopped = true;
    result.findings.push_back(finding_about(what, WARPZ_CRASH));
    std::snprintf(result.findings.back().message, sizeof warpz_finding::message,
                  "the kernel shrank the memory in which its buffers lie");
    return result;
  }
  switch (shared.status) {
    case WARPZ_OK:
      for (std::uint32_t i = 0; i < std::min<std::uint32_t>(shared.result.repeat_count, WARPZ_MAX_REPEATS); ++i) {
        result.milliseconds.push_back(shared.result.milliseconds[i]);
      }
      result.findings = findings();
      result.findings_left_out = shared.result.findings_left_out;
      result.trace = shared.result.trace;
      break;
    case WARPZ_UNKNOWN_KERNEL:
      throw error(exit_code::no_device, fmt::format("the module has no kernel named {}", what.kernel),
                  fmt::format("The file with the kernel has to end with WARPZ_KERNEL({});", what.kernel));
    case WARPZ_WRONG_ARGUMENTS:
      throw error(exit_code::no_device, fmt::format("the module's kernel {} takes other arguments", what.kernel),
                  "It needs the arguments of the puzzle's problem.hip, in their order.");
    case WARPZ_KERNEL_FAULT:
      result.findings = findings();
      result.stopped = true;
      stop();
      break;
    case WARPZ_NOT_CHECKED:
      throw error(exit_code::bad_input,
                  fmt::format("--check all: the kernels in {} are not compiled for it", printable(module_name())),
                  "--kernel FILE compiles a kernel for it; the built-in ones are.");
    default:
      throw device_error(shared.result.error, vendor());
  }
  return result;
}

/// What the child found, whose count need not be true.
std::vector<warpz_finding> kernel_process::findings() const {
  const std::uint32_t count = std::min<std::uint32_t>(shared_->result.finding_count, WARPZ_MAX_FINDINGS);
  return {shared_->result.findings, shared_->result.findings + count};
}

/// The child is gone or does not answer: fetches its findings, or writes one about how it ended.
kernel_result kernel_process::stopped(const kernel_run& what, reply how) {
  const bool ended = how == reply::gone && collect_end();
  stop();
  kernel_result result;
  result.module_base = shared_->module_base;
  result.findings = findings();
  result.findings_left_out = shared_->result.findings_left_out;
  result.trace = shared_->result.trace;
  result.stopped = true;
  if (!result.findings.empty() && how != reply::over_limit) return result;
  if (!kernel_was_running()) {
    const std::string end = how == reply::overdue      ? "was stopped: the device did nothing for a minute"
                            : how == reply::over_limit ? fmt::format("{}, and was stopped", passed_limit_)
                            : ended                    ? end_text()
                                                       : "cut itself off from the program";
    throw error(exit_code::no_device,
                fmt::format("while no kernel was running, the process that was to run {} {}", what.kernel, end),
                advice());
  }

  warpz_finding finding = finding_about(what, how == reply::overdue      ? WARPZ_NO_PROGRESS
                                              : how == reply::over_limit ? WARPZ_OVER_LIMIT
                                                                         : WARPZ_CRASH);
  if (how == reply::over_limit) {
    std::snprintf(finding.message, sizeof finding.message, "the kernel %s, and was stopped", passed_limit_.c_str());
  } else if (how == reply::overdue) {
    std::snprintf(finding.message, sizeof finding.message, "the kernel did not end within %g seconds and was stopped",
                  what.settings.timeout_seconds);
  } else if (!ended) {
    std::snprintf(finding.message, sizeof finding.message,
                  "the kernel cut its process off from the program, and was stopped");
  } else if (WIFSIGNALED(exit_status_)) {
    finding.signal = static_cast<std::uint32_t>(WTERMSIG(exit_status_));
    std::snprintf(finding.message, sizeof finding.message, "the kernel's process %s", end_text().c_str());
  } else {
    std::snprintf(finding.message, sizeof finding.message, "the kernel ended its process with exit code %d",
                  WEXITSTATUS(exit_status_));
  }
  result.findings.push_back(finding);
  return result;
}

}  // namespace warpz

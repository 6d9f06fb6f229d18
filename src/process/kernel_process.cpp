// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/kernel_process.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include "abi/text.h"
#include "error.hpp"
#include "process/confinement.hpp"
#include "process/device_error.hpp"
#include "process/kernel_protocol.hpp"
#include "system/message.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

using clock = std::chrono::steady_clock;

/// The parent waits this much longer than the kernel's own limit before it kills a child on the CPU, so that the
/// machine can report where each lane is. A GPU has nothing to report.
constexpr double grace_seconds = 2;

constexpr double device_seconds = module_source::device_seconds;

[[noreturn]] void fail(const char* failure, int reason) {
  throw error(exit_code::no_device, fmt::format("{}: {}", failure, std::strerror(reason)));
}

/// The time since the child last made progress.
class stall_clock {
 public:
  explicit stall_clock(const std::uint64_t& progress) : progress_(progress), last_(now()), since_(clock::now()) {}

  double seconds() {
    if (const std::uint64_t progress = now(); std::exchange(last_, progress) != progress) since_ = clock::now();
    return std::chrono::duration<double>(clock::now() - since_).count();
  }

 private:
  std::uint64_t now() const { return __atomic_load_n(&progress_, __ATOMIC_RELAXED); }

  const std::uint64_t& progress_;
  std::uint64_t last_;
  clock::time_point since_;
};

template <class... Arguments>
warpz_finding finding_about(const kernel_run& request, warpz_finding_kind kind,
                            fmt::format_string<Arguments...> message, Arguments&&... arguments) {
  warpz_finding finding{};
  finding.kind = static_cast<std::uint32_t>(kind);
  warpz_copy_beginning(finding.kernel, sizeof finding.kernel, request.kernel.name.c_str());
  const std::string text = fmt::format(message, std::forward<Arguments>(arguments)...);
  warpz_copy_beginning(finding.message, sizeof finding.message, text.c_str());
  return finding;
}

}  // namespace

kernel_process::kernel_process(module_source source) : source_(std::move(source)) {
  if (!shared_) fail("no memory to share with the kernel's process", errno);
}

kernel_process::~kernel_process() { stop(); }

void kernel_process::allocate(std::span<const std::uint64_t> bytes) {
  // Free the old ones first, so that both are never there at once.
  buffers_ = std::make_shared<const kernel_buffers>();
  buffers_ = std::make_shared<const kernel_buffers>(bytes);
  has_buffers_ = false;
}

void kernel_process::start() {
  if (child_) return;
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) fail("socketpair", errno);
  os::descriptor parent_end(ends[0]), child_end(ends[1]);
  printed_.emplace();
  printed_->add({STDERR_FILENO}, STDERR_FILENO);
  findings_.emplace();
  // The child writes the reason as soon as it starts.
  shared_->load_error[0] = '\0';
  shared_->is_as_new = has_run_ = false;
  shared_before_ = os::shared_memory_count;
  if (source_.confined) forbid_inspection();
  child_.emplace(child_options{true, true, source_.debugged}, [&] {
    parent_end.close();
    printed_->enter_child();
    findings_->enter_child();
    serve_kernels(source_, *shared_, child_end.number(), findings_->child_end());
    child_process::end_body(0);
    _exit(0);
  });
  if (const int reason = child_->start_error()) {
    child_.reset();
    fail("the kernel's process could not be started", reason);
  }
  printed_->close_child_ends();
  findings_->close_child_end();
  channel_ = std::move(parent_end);
  has_buffers_ = false;
}

/// Also ends a child that is busy: there is no reason for it to go on.
void kernel_process::stop() noexcept {
  if (!child_) return;
  child_->end();
  exit_status_ = child_->status();
  child_.reset();
  channel_.close();
  printed_->finish();
  printed_.reset();
  findings_->pump();
}

/// Ends a child that lacks memory for records, as that was made after it.
void kernel_process::provide_records(const warpz_settings& settings) noexcept {
  const bool has_records = settings.perturbation.record != nullptr || settings.perturbation.decisions != nullptr ||
                           settings.recording.record != nullptr || settings.costs != nullptr;
  if (has_records && can_restart() && shared_before_ != os::shared_memory_count) stop();
}

void kernel_process::renew() noexcept {
  if (has_run_ && !shared_->is_as_new && vendor() == "cpu" && can_restart()) stop();
}

/// Waits a moment for the child, and forwards what it prints. True once the child has ended.
bool kernel_process::wait() {
  std::vector<pollfd> polled;
  if (channel_) polled.push_back({channel_.number(), POLLIN, 0});
  printed_->add_pollfds(polled);
  findings_->add_pollfds(polled);
  const bool has_ended = child_->wait(std::move(polled));
  printed_->pump();
  findings_->pump();
  return has_ended;
}

/// Stops a child that did not reply. False where it had to be killed: a kernel can close the channel and keep running.
bool kernel_process::has_stopped_by_itself(reply reason) {
  // The channel has ended; wait for the process, too.
  channel_.close();
  const auto last_moment = clock::now() + std::chrono::duration<double>(grace_seconds);
  bool has_ended = false;
  while (reason == reply::gone && !has_ended && clock::now() < last_moment) has_ended = wait();
  stop();
  return has_ended;
}

/// Leaves the findings' records as they are: writing to them would allocate memory that few runs need.
void kernel_process::clear_result() { std::memset(&shared_->result, 0, offsetof(warpz_result, findings)); }

void kernel_process::write_request(const kernel_run& request) {
  kernel_protocol& shared = *shared_;
  warpz_copy_beginning(shared.kernel, sizeof shared.kernel, request.kernel.identity.c_str());
  warpz_copy_beginning(shared.name, sizeof shared.name, request.kernel.name.c_str());
  warpz_launch& launch = shared.launch;
  launch.device = request.device;
  launch.gpus = request.gpus;
  std::memcpy(launch.grid, request.grid, sizeof launch.grid);
  std::memcpy(launch.block, request.block, sizeof launch.block);
  launch.argument_count = static_cast<std::uint32_t>(request.arguments.size());
  launch.warm_ups = request.warm_ups;
  launch.resets_outputs = request.resets_outputs ? 1 : 0;
  launch.repeats = request.repeats;
  launch.settings = request.settings;
  std::copy(request.arguments.begin(), request.arguments.end(), shared.arguments);
  shared.buffer_count = static_cast<std::uint32_t>(buffers_->layout().size());
  std::copy(buffers_->layout().begin(), buffers_->layout().end(), shared.buffers);
  shared.quiet = request.quiet;
  clear_result();
  findings_->clear();
}

bool kernel_process::send(char message) {
  // A kernel may write to any descriptor: only a reply with a status counts.
  char stray[256];
  while (recv(channel_.number(), stray, sizeof stray, MSG_DONTWAIT) > 0) {
  }
  __atomic_store_n(&shared_->status, no_status, __ATOMIC_RELEASE);
  static const os::descriptor none;
  return os::send_message(channel_, message, std::exchange(has_buffers_, true) ? none : buffers_->file());
}

/// The child's end is checked separately: a process that the kernel started could keep the channel open.
std::optional<kernel_process::reply> kernel_process::receive(char message, bool has_ended) {
  char answer = 0;
  const ssize_t count = recv(channel_.number(), &answer, 1, MSG_DONTWAIT);
  const bool is_open = count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
  if (!is_open || (count < 0 && has_ended)) return reply::gone;
  const bool is_done = __atomic_load_n(&shared_->status, __ATOMIC_ACQUIRE) != no_status;
  if (count < 0 || answer != message || !is_done) return {};
  // What the kernel printed belongs before what is printed about it.
  printed_->finish();
  findings_->pump();
  return reply::done;
}

kernel_process::reply kernel_process::ask(char message, const time_limits& time, const process_limits& limits,
                                          const std::function<void(const running_kernel&)>& on_wait) {
  limit_monitor monitor(limits, child_->siblings(), buffers_->bytes());
  exceeded_limit_.clear();
  const std::uint64_t printed_before = printed_->count();
  if (!send(message)) return reply::gone;
  stall_clock stalled(shared_->result.progress);
  const auto begin = clock::now();
  for (;;) {
    const bool has_ended = wait();
    if (const std::optional<reply> received = receive(message, has_ended)) return *received;
    exceeded_limit_ = monitor.exceeded(printed_->count() - printed_before);
    if (!exceeded_limit_.empty()) return reply::over_limit;
    const double seconds = stalled.seconds();
    if (time.without_progress > 0 && seconds > allowed_seconds(message, time.without_progress)) return reply::overdue;
    const std::chrono::duration<double> taken = clock::now() - begin;
    if (on_wait && kernel_is_to_blame()) on_wait({taken.count(), shared_->module_base, shared_->result.sampled});
    if (time.in_all > 0 && taken.count() > time.in_all) return reply::too_long;
  }
}

/// Whether a failure is the kernel's fault: it is running, or it has run on the CPU, where it shares the process.
bool kernel_process::kernel_is_to_blame() const {
  const std::uint32_t stage = __atomic_load_n(&shared_->result.stage, __ATOMIC_ACQUIRE);
  return stage == WARPZ_KERNEL_RUNNING || (stage == WARPZ_FETCHING && vendor() == "cpu");
}

/// The time without progress after which a request is overdue.
double kernel_process::allowed_seconds(char message, double timeout_seconds) const {
  if (message != message::run) return timeout_seconds;
  if (!kernel_is_to_blame()) return std::max(timeout_seconds, device_seconds);
  return timeout_seconds + (vendor() == "cpu" ? grace_seconds : 0);
}

/// A GPU shows no progress within a launch, so the lower limit ends it. The CPU machine itself ends a launch that takes
/// too long; the limit in all is for a kernel that keeps the machine from doing so.
kernel_process::time_limits kernel_process::time_limits_of(const kernel_run& request) const {
  const double timeout = request.settings.timeout_seconds, limit = request.settings.time_limit_seconds;
  if (limit == 0) return {timeout, 0};
  if (vendor() != "cpu") return {timeout > 0 ? std::min(timeout, limit) : limit, 0};
  const double longest = warpz_time_of_idle * limit + grace_seconds;
  return {timeout, device_seconds + longest * (request.warm_ups + request.repeats)};
}

/// A request about the device or the module itself; messages call it `task`, as in "list the devices". Returns
/// WARPZ_OK, or WARPZ_UNKNOWN_KERNEL where a kernel was asked for.
int kernel_process::ask_device(char message, const char* task) {
  start();
  clear_result();
  const reply reason = ask(message, {source_.debugged ? 0 : source_.seconds, 0}, source_.limits);
  if (reason != reply::done) {
    const bool by_itself = has_stopped_by_itself(reason);
    const std::string overdue = fmt::format("did not do so within {:g} seconds", source_.seconds);
    throw error(exit_code::no_device,
                fmt::format("the process that was to {}{} {}", task,
                            module_name().empty() ? "" : fmt::format(" with {}", module_name()),
                            end_text(reason, by_itself, overdue)),
                advice());
  }
  check_loaded();
  const int status = shared_->status;
  if (status == WARPZ_OK || (status == WARPZ_UNKNOWN_KERNEL && message == message::find_kernel)) return status;
  throw device_error(shared_->result.error, vendor());
}

std::span<const warpz_device> kernel_process::devices() {
  ask_device(message::list_devices, "list the devices");
  return {shared_->devices, std::min<std::size_t>(shared_->device_count, max_devices)};
}

void kernel_process::prepare(std::uint32_t device) {
  start();
  shared_->launch.device = device;
  ask_device(message::prepare, "bring the device up");
}

bool kernel_process::has_kernel(const std::string& identity) {
  start();
  warpz_copy_beginning(shared_->kernel, sizeof shared_->kernel, identity.c_str());
  return ask_device(message::find_kernel, "look for a kernel") == WARPZ_OK;
}

std::string kernel_process::vendor() const { return std::string(bounded(shared_->vendor)); }

std::string kernel_process::unconfined() const { return printable(bounded(shared_->unconfined)); }

std::string kernel_process::reads_all() const { return printable(bounded(shared_->reads_all)); }

std::span<const warpz_element> kernel_process::elements() const { return shared_->result.elements; }

kernel_result kernel_process::run(const kernel_run& request) {
  provide_records(request.settings);
  start();
  write_request(request);
  has_run_ = true;
  const reply reason = ask(message::run, time_limits_of(request), request.limits, request.on_wait);
  if (reason != reply::done) return result_of_dead_child(request, reason);
  // A kernel that has run may have overwritten it.
  if (shared_->status == WARPZ_DEVICE_ERROR) check_loaded();
  return result_of(request);
}

kernel_result kernel_process::result_of(const kernel_run& request) {
  kernel_result result;
  result.module_base = shared_->module_base;
  switch (shared_->status) {
    case WARPZ_OK:
      for (std::uint32_t i = 0; i < std::min<std::uint32_t>(shared_->result.repeat_count, WARPZ_MAX_REPEATS); ++i) {
        result.milliseconds.push_back(shared_->result.milliseconds[i]);
      }
      result.findings = findings_->all(shared_->result);
      result.findings_left_out = shared_->result.findings_left_out;
      result.digest = shared_->result.digest;
      return result;
    case WARPZ_UNKNOWN_KERNEL:
      throw error(exit_code::no_device, fmt::format("the module has no kernel named {}", request.kernel.name),
                  fmt::format("The file with the kernel has to end with WARPZ_KERNEL({});", request.kernel.name));
    case WARPZ_WRONG_ARGUMENTS:
      throw error(exit_code::no_device,
                  fmt::format("the module's kernel {} takes other arguments", request.kernel.name),
                  "It needs the arguments of the puzzle's problem.hip, in their order.");
    case WARPZ_KERNEL_FAULT:
      result.findings = findings_->all(shared_->result);
      result.stopped = true;
      stop();
      return result;
    case WARPZ_NOT_CHECKED:
      throw error(exit_code::bad_input,
                  fmt::format("--check all: the kernels in {} are not compiled for it", printable(module_name())),
                  "--kernel FILE compiles a kernel for it; the built-in ones are.");
    default:
      throw device_error(shared_->result.error, vendor());
  }
}

/// The result where the child is gone or did not reply: its findings, or one about how it ended.
kernel_result kernel_process::result_of_dead_child(const kernel_run& request, reply reason) {
  const bool by_itself = has_stopped_by_itself(reason);
  kernel_result result;
  result.module_base = shared_->module_base;
  result.findings = findings_->all(shared_->result);
  result.findings_left_out = shared_->result.findings_left_out;
  result.digest = shared_->result.digest;
  result.stopped = true;
  if (!result.findings.empty() && reason != reply::over_limit) return result;
  // A confined process runs nothing but the kernel's file: what happens there is the file's doing.
  if (!source_.confined && !kernel_is_to_blame()) {
    throw error(exit_code::no_device,
                fmt::format("while no kernel was running, the process that was to run {} {}", request.kernel.name,
                            end_text(reason, by_itself, "was stopped: the device did nothing for a minute")),
                advice());
  }
  result.findings.push_back(finding_of_end(request, reason, by_itself));
  return result;
}

warpz_finding kernel_process::finding_of_end(const kernel_run& request, reply reason, bool by_itself) const {
  if (reason == reply::over_limit) {
    return finding_about(request, WARPZ_OVER_LIMIT, "the kernel {}, and was stopped", exceeded_limit_);
  }
  if (reason == reply::overdue || reason == reply::too_long) {
    return finding_about(
        request, WARPZ_NO_PROGRESS, "the kernel did not end within {:g} seconds and was stopped",
        reason == reply::overdue ? time_limits_of(request).without_progress : request.settings.time_limit_seconds);
  }
  if (!by_itself) {
    return finding_about(request, WARPZ_CRASH, "the kernel cut its process off from the program, and was stopped");
  }
  if (!WIFSIGNALED(exit_status_)) {
    return finding_about(request, WARPZ_CRASH, "the kernel ended its process with exit code {}",
                         WEXITSTATUS(exit_status_));
  }
  warpz_finding finding = finding_about(request, WARPZ_CRASH, "the kernel's process {}", exit_text());
  finding.signal = static_cast<std::uint32_t>(WTERMSIG(exit_status_));
  return finding;
}

/// How the last child ended.
std::string kernel_process::exit_text() const {
  if (!WIFSIGNALED(exit_status_)) return fmt::format("ended with exit code {}", WEXITSTATUS(exit_status_));
  const int number = WTERMSIG(exit_status_);
  return fmt::format("was ended by signal {} ({})", number, strsignal(number));
}

std::string kernel_process::end_text(reply reason, bool by_itself, const std::string& overdue) const {
  if (reason == reply::overdue) return overdue;
  if (reason == reply::over_limit) return fmt::format("{}, and was stopped", exceeded_limit_);
  return by_itself ? exit_text() : "cut itself off from the program";
}

/// Throws if the child could not load the module.
void kernel_process::check_loaded() const {
  std::string reason(bounded(shared_->load_error));
  if (reason.empty()) return;
  if (source_.compiled_from.empty())
    throw error(exit_code::no_device, printable(reason), advice_for_unloaded(source_.file));
  if (reason.starts_with(source_.file)) reason.replace(0, source_.file.size(), source_.compiled_from);
  throw error(exit_code::does_not_compile, printable(with_source_name(reason)),
              "What a kernel calls has to be in its file, or in headers that the file includes.");
}

std::string kernel_process::advice() const {
  if (source_.compiled_from.empty()) return advice_for_module(source_.file);
  return "No kernel was running: look at the file's global objects, whose constructors run when it is loaded.";
}

}  // namespace warpz

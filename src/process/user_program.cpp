// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/user_program.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <link.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <optional>
#include <utility>

#include "abi/launcher.h"
#include "error.hpp"
#include "process/child_process.hpp"
#include "process/confinement.hpp"
#include "process/device_error.hpp"
#include "process/finding_stream.hpp"
#include "process/held_signals.hpp"
#include "process/output_relay.hpp"
#include "process/own_starts.hpp"
#include "system/shared_memory.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

using clock = std::chrono::steady_clock;

/// How long a program may take to end after a signal that asks it to.
constexpr std::chrono::seconds grace_after_signal{2};

error no_process(const char* failure, int reason) {
  return {exit_code::no_device, fmt::format("{}: {}", failure, std::strerror(reason))};
}

bool can_be_written(int descriptor) {
  const int flags = fcntl(descriptor, F_GETFL);
  return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

/// Not a terminal: its output fills no disk, and a program may want to know that it has one. Standard output that is
/// closed is relayed, because losing output is an error.
bool is_relayed(int descriptor) {
  return isatty(descriptor) == 0 && (descriptor == STDOUT_FILENO || can_be_written(descriptor));
}

/// Whether both streams lead to the same place: one relay for both keeps the order of what is written.
bool is_same_file(int one, int other) {
  struct stat a {};
  struct stat b {};
  return fstat(one, &a) == 0 && fstat(other, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/// Adds the streams that this process has to forward.
void plan_output(output_relay& relay, const user_program_run& run) {
  constexpr int out = STDOUT_FILENO, err = STDERR_FILENO;
  const bool err_is_relayed = !run.is_silent && is_relayed(err);
  if (run.take_output) {
    relay.add({out}, run.take_output);
    if (err_is_relayed) relay.add({err}, err);
  } else if (run.prints_to_error) {
    if (err_is_relayed) relay.add({out, err}, err);
  } else if (is_relayed(out) && err_is_relayed && is_same_file(out, err)) {
    relay.add({out, err}, out);
  } else {
    if (is_relayed(out)) relay.add({out}, out);
    if (err_is_relayed) relay.add({err}, err);
  }
}

/// Shared with the child.
struct program_report {
  warpz_result result;
  std::uint64_t base;
  char load_error[512];
  char exec_error[128];        ///< why the executable did not start
  char unconfined[128];        ///< why the program could not be confined, and so was not loaded
  std::uint32_t ended_itself;  ///< the functions that run at the end of a process have run
  std::uint32_t is_checked;    ///< code was loaded that reports each of its accesses
  std::uint32_t module_count;
  struct {
    char path[256];
    std::uint64_t begin, end;
  } modules[64];
};

/// In the child.
program_report* own_report = nullptr;

/// In the child, when the program has loaded device code.
void note_module(const char* file, std::uint64_t begin, std::uint64_t end) {
  if (own_report == nullptr || own_report->module_count == std::size(own_report->modules)) return;
  // Each source of a library has code.
  for (std::uint32_t i = 0; i < own_report->module_count; ++i) {
    if (own_report->modules[i].begin == begin) return;
  }
  auto& added = own_report->modules[own_report->module_count];
  std::snprintf(added.path, sizeof added.path, "%s", file);
  added.begin = begin;
  added.end = end;
  ++own_report->module_count;
}

/// In the child, at the end of the process.
void end_itself(int exit_code, void* ended_itself) {
  *static_cast<std::uint32_t*>(ended_itself) = 1;
  std::fflush(nullptr);
  std::cout.flush();
  child_process::end_body(exit_code);
}

/// In the child: puts the program's standard streams in place.
void enter_child(const user_program_run& run, output_relay& relay) {
  if (run.prints_to_error) dup2(STDERR_FILENO, STDOUT_FILENO);
  relay.enter_child();
  if (run.input != nullptr) run.input->enter_child();
  if (const int nothing = run.is_silent ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1; nothing >= 0) {
    dup2(nothing, STDERR_FILENO);
  }
  for (const int number : {SIGPIPE, SIGXFSZ}) signal(number, SIG_DFL);
}

using main_function = int(int, char**, char**);

/// In the child: ends the process, with report.unconfined, where there is a reason why the system cannot confine it.
void refuse_unconfined(const std::string& reason, program_report& report) {
  if (reason.empty()) return;
  std::snprintf(report.unconfined, sizeof report.unconfined, "%s", reason.c_str());
  _exit(127);
}

/// In the child: confines it. Returns the path at which the library is found from now on.
std::string confine_program(const std::string& library, int findings, program_report& report) {
  const int file = open(library.c_str(), O_RDONLY | O_CLOEXEC);
  allow_inspection();
  const confinement_gaps gaps = confine({{"."}, {findings, file}});
  refuse_unconfined(gaps.all.empty() ? gaps.reading : gaps.all, report);
  return fmt::format("/proc/self/fd/{}", file);
}

/// In the child: the main of the library at `path`. Ends the process, with report.load_error, if there is none.
main_function* load_main(const std::string& path, const std::string& library, program_report& report) {
  const auto refuse = [&](std::string reason) {
    if (reason.starts_with(path)) reason.replace(0, path.size(), library);
    std::snprintf(report.load_error, sizeof report.load_error, "%s", reason.c_str());
    _exit(127);
  };
  void* const loaded = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (loaded == nullptr) refuse(dlerror());
  link_map* place = nullptr;
  if (dlinfo(loaded, RTLD_DI_LINKMAP, &place) == 0) report.base = place->l_addr;
  if (void* const entry = dlsym(loaded, "main")) return reinterpret_cast<main_function*>(entry);
  // Where a build hides main, its executable tells where it is.
  void* const told = dlsym(loaded, WARPZ_LAUNCHER_MAIN);
  if (told == nullptr) refuse("undefined symbol: main");
  return *static_cast<main_function**>(told);
}

/// In the child: runs the program to its end.
[[noreturn]] void run_main(warpz_module_entry* machine, const user_program_run& run, const std::string& path,
                           program_report& report) {
  // Registered before any function of the program's, so that it runs last.
  on_exit(end_itself, &report.ended_itself);
  warpz_settings settings = run.settings;
  settings.before_exit = child_process::end_body;
  settings.on_finding = finding_stream::send;
  own_report = &report;
  settings.on_module = note_module;
  machine()->begin_user_program(run.warp_size, &settings, &report.result);
  main_function* const entry = load_main(path, run.library, report);
  report.is_checked = machine()->has_instrumented_code() != 0;
  // Copies that are never freed: the program may change them, and static objects, which outlive main, may refer to
  // them.
  static std::vector<std::string> words;
  static std::vector<char*> pointers;
  words = run.arguments;
  for (std::string& each : words) pointers.push_back(each.data());
  pointers.push_back(nullptr);
  std::exit(entry(static_cast<int>(words.size()), pointers.data(), environ));
}

/// In the child: becomes the program. Ends the process, with report.exec_error, where the system refuses.
[[noreturn]] void execute(const user_program_run& run, program_report& report) {
  for (const std::string& each : run.environment) {
    const std::size_t end = each.find('=');
    setenv(each.substr(0, end).c_str(), each.substr(end + 1).c_str(), 1);
  }
  std::vector<std::string> words = run.arguments;
  std::vector<char*> pointers;
  for (std::string& each : words) pointers.push_back(each.data());
  pointers.push_back(nullptr);
  execv(run.library.c_str(), pointers.data());
  std::snprintf(report.exec_error, sizeof report.exec_error, "%s", std::strerror(errno));
  _exit(127);
}

/// A running program, from the parent's side.
class user_program {
 public:
  user_program(warpz_module_entry* machine, const user_program_run& run) : run_(run) {
    if (!report_) throw no_process("no memory to share with the program's process", errno);
    plan_output(relay_, run);
    if (run.input != nullptr) run.input->begin();
    if (run.confined) forbid_inspection();
    child_.emplace(child_options{false, true, run.debugged}, [&] {
      findings_.enter_child();
      enter_child(run, relay_);
      if (run.is_executable) execute(run, *report_);
      if (std::vector<std::string> words = run.start_words; !words.empty()) {
        words.insert(words.begin() + 1, {"--warp-size", std::to_string(run.warp_size)});
        follow_own_starts({run.arguments.front(), std::move(words), started_.path()});
      }
      if (run.ends_at_changes) refuse_unconfined(end_at_changes(), *report_);
      const bool confined = run.confined;
      run_main(machine, run, confined ? confine_program(run.library, findings_.child_end(), *report_) : run.library,
               *report_);
    });
    relay_.close_child_ends();
    findings_.close_child_end();
    if (run.input != nullptr) run.input->close_child_end();
    if (const int reason = child_->start_error())
      throw no_process("the program's process could not be started", reason);
    signals_ = held_signals::open_descriptor();
  }

  user_program_end wait() {
    follow();
    child_->end();
    findings_.pump();
    if (run_.input != nullptr) run_.input->end();
    forward_rest();
    // The signal takes effect here once the signals are no longer held.
    if (ended_by_ != 0) raise(ended_by_);
    check_loaded();
    return exceeded_limit_.empty() ? result() : result_of_exceeded_limit();
  }

 private:
  /// Waits until the program has ended.
  void follow() {
    limit_monitor monitor(run_.limits, child_->siblings());
    while (!wait_a_moment()) {
      pass_signal_on();
      if (ended_by_ != 0 && clock::now() > asked_to_end_ + grace_after_signal) child_->send(SIGKILL);
      if (!exceeded_limit_.empty()) continue;
      report_long_run();
      exceeded_limit_ = monitor.exceeded(relay_.count());
      if (run_.is_executable && exceeded_limit_.empty()) exceeded_limit_ = exceeded_time();
      if (!exceeded_limit_.empty()) child_->send(SIGKILL);
    }
  }

  /// Waits a moment for the program or a signal, and forwards what the program reads and prints. True once it has
  /// ended.
  bool wait_a_moment() {
    std::vector<pollfd> polled{{signals_.number(), POLLIN, 0}};
    relay_.add_pollfds(polled);
    findings_.add_pollfds(polled);
    if (run_.input != nullptr) run_.input->add_pollfds(polled);
    const bool has_ended = child_->wait(std::move(polled));
    relay_.pump();
    findings_.pump();
    if (run_.input != nullptr) run_.input->pump();
    return has_ended;
  }

  std::string exceeded_time() const {
    const double limit = run_.settings.time_limit_seconds;
    const double seconds = std::chrono::duration<double>(clock::now() - begin_).count();
    return limit > 0 && seconds > limit ? fmt::format("took longer than {} s", limit) : "";
  }

  void report_long_run() {
    // The machine's count of steps grows while a kernel runs.
    const auto now = clock::now();
    const std::uint64_t progress = __atomic_load_n(&report_->result.progress, __ATOMIC_RELAXED);
    if (std::exchange(progress_before_, progress) != progress) in_kernel_at_ = now;
    const double seconds = std::chrono::duration<double>(now - begin_).count();
    if (!run_.on_long_run || seconds < next_report_seconds_) return;
    next_report_seconds_ *= 2;
    run_.on_long_run(seconds, now < in_kernel_at_ + std::chrono::seconds(1));
  }

  void pass_signal_on() {
    const std::optional<siginfo_t> signal = held_signals::take();
    if (!signal) return;
    // A terminal sends its signals to the program as well.
    if (signal->si_code != SI_KERNEL) child_->send(signal->si_signo);
    if (std::exchange(ended_by_, signal->si_signo) == 0) asked_to_end_ = clock::now();
  }

  /// Forwards what the program printed last. The reader may be slow: a signal ends the waiting.
  void forward_rest() {
    while (ended_by_ == 0 && exceeded_limit_.empty() && relay_.has_more()) {
      std::vector<pollfd> polled{{signals_.number(), POLLIN, 0}};
      relay_.add_pollfds(polled);
      poll(polled.data(), polled.size(), 50);
      relay_.pump();
      if (const std::optional<siginfo_t> signal = held_signals::take()) ended_by_ = signal->si_signo;
    }
  }

  void check_loaded() const {
    if (const std::string reason(bounded(report_->unconfined)); !reason.empty()) {
      throw error(exit_code::no_device,
                  fmt::format("--confine: this system cannot sandbox a program: {}", printable(reason)));
    }
    if (const std::string reason(bounded(report_->exec_error)); !reason.empty()) {
      throw error(exit_code::no_device, fmt::format("the compiled program could not be started: {}", reason));
    }
    std::string reason(bounded(report_->load_error));
    if (reason.empty()) return;
    if (reason.starts_with(run_.library)) reason.replace(0, run_.library.size(), run_.arguments.front());
    // Nothing here has linked it: what is compiled for --run can be loaded.
    if (reason.find("cannot dynamically load") != reason.npos)
      throw error(exit_code::bad_input, printable(reason),
                  "--run takes sources, or a program that --output or warpz-hipcc wrote.");
    throw error(exit_code::does_not_compile, printable(with_source_name(reason)),
                advice_for_missing(std::string_view(reason).substr(reason.rfind(' ') + 1)));
  }

  user_program_end result() const {
    user_program_end result;
    result.status = child_->status();
    result.findings = findings_.all(report_->result);
    const std::uint32_t stage = report_->result.stage;
    if (stage == WARPZ_KERNEL_RUNNING && WIFEXITED(result.status)) {
      warpz_finding& ended = result.findings.emplace_back();
      ended.kind = WARPZ_CRASH;
      std::snprintf(ended.message, sizeof ended.message,
                    "the program ended while a kernel was running, with exit code %d", WEXITSTATUS(result.status));
      result.stopped = true;
    } else if (stage == WARPZ_STOPPED && report_->ended_itself == 0) {
      result.stopped = !result.findings.empty() && WIFEXITED(result.status);
    }
    result.is_checked = report_->is_checked != 0;
    result.started = started_.filed();
    result.findings_left_out = report_->result.findings_left_out;
    result.has_diverged = report_->result.abandoned_launches != 0;
    result.module_base = report_->base;
    result.digest = report_->result.digest;
    const std::size_t count = std::min<std::size_t>(report_->module_count, std::size(report_->modules));
    for (std::size_t i = 0; i < count; ++i) {
      const auto& each = report_->modules[i];
      if (each.begin == report_->base) continue;
      result.modules.push_back({std::string(bounded(each.path)), each.begin, each.end});
    }
    return result;
  }

  user_program_end result_of_exceeded_limit() const {
    user_program_end result = this->result();
    // The program's own exit code is not known.
    result.stopped = true;
    result.status = 0;
    warpz_finding& finding = result.findings.emplace_back();
    finding.kind = WARPZ_OVER_LIMIT;
    std::snprintf(finding.message, sizeof finding.message, "the program %s, and was stopped", exceeded_limit_.c_str());
    return result;
  }

  const user_program_run& run_;
  const held_signals held_;
  const os::shared_memory<program_report> report_;
  output_relay relay_;
  finding_stream findings_;
  const started_reports started_;
  std::optional<child_process> child_;
  os::descriptor signals_;
  int ended_by_ = 0;  ///< the last signal; 0: none
  clock::time_point asked_to_end_{};
  std::string exceeded_limit_;
  const clock::time_point begin_ = clock::now();
  std::uint64_t progress_before_ = 0;
  clock::time_point in_kernel_at_{};  ///< when a kernel was last seen to run
  double next_report_seconds_ = 5;
};

}  // namespace

user_program_end run_user_program(warpz_module_entry* machine, const user_program_run& run) {
  return user_program(machine, run).wait();
}

}  // namespace warpz

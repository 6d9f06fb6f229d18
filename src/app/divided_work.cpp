// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "app/divided_work.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "system/usable_cores.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

/// A puzzle's numbers travel from worker to worker.
constexpr std::size_t max_divided_size = std::size_t{1} << 20;

bool can_be_divided(const options& command) {
  const bool writes_down = command.findings.baseline || command.findings.suppress;
  const bool reads_once = command.data.input == "-";
  return !command.trace.format && !command.kernel.debugger && !command.program.output && !writes_down && !reads_once &&
         !command.device.compared_with_cpu;
}

bool has_schedules(const options& command) { return command.machine.schedules || command.machine.schedule_seed; }

/// A line that says how far the work is.
class pieces_line {
  using clock = std::chrono::steady_clock;

 public:
  pieces_line(output_stream& err, bool is_quiet)
      : err_(err), is_quiet_(is_quiet), is_in_place_(isatty(STDERR_FILENO) == 1), next_(clock::now() + pause()) {}

  void show(const piece_progress& now) {
    if (now.done == 0) begin_ = clock::now();
    for (const std::string& each : now.notes) write(fmt::format("{}warpz: {}\n", erased(), printable(each)));
    const bool is_over = now.done == now.count;
    if (is_over || now.has_results) write(erased());
    if (is_quiet_ || is_over || now.done == 0 || clock::now() < next_) return;
    next_ = clock::now() + pause();
    const double spent = std::chrono::duration<double>(clock::now() - begin_).count();
    const double left = spent * static_cast<double>(now.count - now.done) / static_cast<double>(now.done);
    write(fmt::format("{}warpz: {} of {} pieces are done by {} workers; about {:.0f} s are left{}", erased(), now.done,
                      now.count, now.workers, left, is_in_place_ ? "" : "\n"));
    is_there_ = is_in_place_;
  }

 private:
  std::chrono::milliseconds pause() const {
    return is_in_place_ ? std::chrono::milliseconds(500) : std::chrono::milliseconds(30'000);
  }
  const char* erased() { return std::exchange(is_there_, false) ? "\r\x1b[K" : ""; }
  void write(std::string_view text) {
    err_.write(text);
    err_.flush();
  }

  output_stream& err_;
  const bool is_quiet_, is_in_place_;
  bool is_there_ = false;
  clock::time_point begin_ = clock::now(), next_;
};

}  // namespace

bool divides_schedules(const options& command) { return has_schedules(command) && can_be_divided(command); }

std::size_t workers_for_schedules(const options& command) {
  // A worker begins within the time of some ten orders.
  constexpr std::size_t orders_of_worker = 64;
  if (command.action != action::run || !divides_schedules(command)) return 1;
  return std::clamp<std::size_t>(command.machine.schedules.value_or(0) / orders_of_worker, 1, os::usable_cores());
}

bool divides_puzzles(const options& command) {
  const bool are_several =
      command.puzzles.size() > 1 || command.device.both_warp_sizes || command.all || command.puzzles_of_kernel;
  return command.action == action::run && are_several && !has_schedules(command) && can_be_divided(command) &&
         !command.data.input && command.data.size.value_or(0) <= max_divided_size;
}

void hide_output(options& command) {
  command.output = {};
  command.output.quiet = true;
}

void show_progress_of(asking_runner& runner, output_stream& err, bool is_quiet) {
  runner.on_progress = [line = std::make_shared<pieces_line>(err, is_quiet)](const piece_progress& now) {
    line->show(now);
  };
}

}  // namespace warpz

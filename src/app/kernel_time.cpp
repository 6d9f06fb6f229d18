// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "app/kernel_time.hpp"

#include <algorithm>

#include "run/puzzle_run.hpp"

namespace warpz {
namespace {

constexpr double least_seconds = 5;
constexpr double solution_times = 10;
constexpr std::size_t large_input = std::size_t{1} << 18;

}  // namespace

void limit_time(run_request& request, const puzzle& task, const options& command, const chosen_device& on) {
  const std::size_t size = request.size.value_or(request.given.size());
  const bool is_cpu = on.kernels->vendor() == name_of(backend_choice::cpu);
  if (command.machine.time_limit_given || command.kernel.debugger || task.is_own() || !is_cpu || size > large_input)
    return;
  device_request wanted{backend_choice::cpu, {}, on.device.warp_size, {}};
  wanted.instrumented = request.settings.check == WARPZ_CHECK_ALL;
  run_request timed = request;
  timed.kernel = {};
  timed.trace.reset();
  timed.counts_costs = false;
  timed.schedules.clear();
  timed.findings = {};
  timed.seeks_undefined = false;
  timed.is_silent = true;
  timed.on_wait = {};
  const double taken = run_puzzle(task, timed, choose_device(wanted)).outcome.milliseconds / 1000;
  warpz_settings& settings = request.settings;
  settings.time_limit_seconds = std::max(least_seconds, solution_times * taken);
  if (settings.timeout_seconds == 0) return;
  // The timeout is over first: of a kernel that makes no progress, that is what is to be told. One that was asked for
  // holds.
  constexpr double timeout_part = 0.9;
  if (command.machine.timeout_given) {
    settings.time_limit_seconds = std::max(settings.time_limit_seconds, settings.timeout_seconds / timeout_part);
  } else {
    settings.timeout_seconds = std::min(settings.timeout_seconds, timeout_part * settings.time_limit_seconds);
  }
}

}  // namespace warpz

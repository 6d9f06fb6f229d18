// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/execution.hpp"

#include <fmt/format.h>

#include "error.hpp"
#include "findings/accessed_memory.hpp"
#include "puzzle/comparison.hpp"
#include "run/cost_counting.hpp"
#include "run/experiments/active_masks.hpp"
#include "run/experiments/kernel_replay.hpp"
#include "run/experiments/raced_values.hpp"
#include "run/experiments/schedules.hpp"
#include "run/experiments/undefined_values.hpp"
#include "run/experiments/unset_reads.hpp"

namespace warpz {
namespace {

std::span<const std::uint32_t> as_words(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const std::uint32_t*>(bytes.data()), bytes.size() / sizeof(std::uint32_t)};
}

void add_findings_of_run(std::vector<symbolized_finding>& found, const kernel_result& ran) {
  for (const warpz_finding& each : ran.findings) found.push_back({each, ran.module_base});
}

/// What the run has left in the buffers. Whoever keeps the output keeps all of them.
execution finished(kernel_process& kernels, const prepared_run& prepared, kernel_result ran) {
  execution executed{std::move(ran), {}, {kernels.buffers(), as_floats(kernels.buffer(output_buffer))}, {}};
  const puzzle_outcome& planned = prepared.outcome;
  if (planned.puzzle->path != nullptr)
    executed.path = planned.puzzle->path(as_words(kernels.buffer(state_buffer(planned.launched))));
  return executed;
}

/// Runs the kernel with its lanes recorded.
kernel_result run_traced(kernel_process& kernels, const prepared_run& prepared, const run_request& request,
                         kernel_run launch, trace& traced) {
  check_trace_request(*request.trace, prepared.outcome.launched, prepared.outcome.warp_size);
  lane_recording recording(*request.trace);
  launch.settings.recording = recording.settings();
  kernel_result ran = run_in_new_process(kernels, launch);
  replay_callbacks callbacks;
  callbacks.on_rerun = request.on_rerun;
  launch.settings.costs = nullptr;
  kernel_replay code(kernels, launch, ran, callbacks);
  const puzzle& task = *prepared.outcome.puzzle;
  traced = recording.read(ran, code, [&](const run_record& one) {
    return trace_names{code_of(kernels, one.module_base), {signature_of(task), kernels.elements()}};
  });
  traced.title = task.flag;
  return ran;
}

/// Runs the kernel for the first time, and records on the way what is asked for.
execution run_recorded(kernel_process& kernels, const prepared_run& prepared, const run_request& request) {
  kernel_run launch = prepared.launch;
  std::optional<cost_counting> counting;
  if (request.counts_costs) launch.settings.costs = counting.emplace().record();
  std::optional<trace> traced;
  kernel_result ran = request.trace ? run_traced(kernels, prepared, request, launch, traced.emplace())
                      : counting    ? run_in_new_process(kernels, launch)
                                    : kernels.run(launch);
  execution executed = finished(kernels, prepared, std::move(ran));
  executed.traced = std::move(traced);
  // Nothing is known of a block that was stopped: accesses are counted where its warps meet.
  if (counting && !executed.ran.stopped)
    executed.costs = counting->read(code_of(kernels, executed.ran.module_base), prepared.outcome.warp_size);
  return executed;
}

/// The findings of the run that has just ended, and of further runs that are varied.
std::vector<symbolized_finding> all_findings(kernel_process& kernels, const prepared_run& prepared,
                                             const kernel_result& ran, const run_request& request) {
  const puzzle_outcome& planned = prepared.outcome;
  const puzzle& task = *planned.puzzle;
  const parameters values = parameters_of(planned);
  replay_callbacks callbacks;
  callbacks.on_rerun = request.on_rerun;
  callbacks.first_different = [&](std::span<const float> one, std::span<const float> other) {
    return first_difference(task, planned.inputs.all(), one, other, planned.expected.all(), values);
  };
  callbacks.larger_blocks = [&](std::uint64_t seed) {
    return plan_in_larger_blocks(task, planned.size, values, request.launch_bound, seed);
  };

  std::vector<symbolized_finding> found;
  if (request.seeks_undefined) {
    // An undefined value may be the cause of all other findings.
    kernel_replay code(kernels, prepared.launch, ran, callbacks);
    found = find_undefined_values(code, ran, request.settings.timeout_seconds);
  }
  add_findings_of_run(found, ran);
  if (request.seeks_undefined) {
    kernel_replay trial(kernels, prepared.launch, ran, callbacks);
    judge_races(trial, ran, found);
    kernel_replay filled(kernels, prepared.launch, ran, callbacks);
    judge_unset_reads(filled, ran, found);
  }
  if (!request.schedules.empty()) {
    if (!planned.on_cpu_machine) {
      throw error(exit_code::bad_input,
                  fmt::format("--schedules: only the CPU machine can choose the order, not {}", planned.backend),
                  "--backend cpu runs the same kernels there.");
    }
    kernel_replay code(kernels, prepared.launch, ran, callbacks);
    const std::uint64_t identity = request.runner != nullptr ? hash_of_files({&kernels.compiled_from(), 1}) : 0;
    explore_schedules(code, ran, request.schedules, found, request.runner, identity);
    if (prepared.launch.settings.rules != WARPZ_RULES_AMD) {
      kernel_replay trial(kernels, prepared.launch, ran, callbacks);
      attribute_to_active_lanes(trial, {&kernels.compiled_from(), 1}, found);
    }
  }
  if (request.seeks_undefined && planned.warp_size == 32 && prepared.launch.settings.rules != WARPZ_RULES_AMD &&
      !kernels.compiled_from().empty()) {
    kernel_replay trial(kernels, prepared.launch, ran, callbacks);
    explore_active_masks(trial, ran, {&kernels.compiled_from(), 1}, found);
  }
  return found;
}

}  // namespace

code_location code_of(const kernel_process& kernels, std::uint64_t base) {
  const std::string& source = kernels.compiled_from();
  return {kernels.module_file(), base, source.empty() ? std::vector<std::string>{} : std::vector<std::string>{source}};
}

execution launch_once(kernel_process& kernels, const prepared_run& prepared, const kernel_run& launch) {
  execution executed = finished(kernels, prepared, kernels.run(launch));
  add_findings_of_run(executed.found, executed.ran);
  return executed;
}

execution execute(kernel_process& kernels, const prepared_run& prepared, const run_request& request) {
  execution executed = run_recorded(kernels, prepared, request);
  executed.found = all_findings(kernels, prepared, executed.ran, request);
  return executed;
}

}  // namespace warpz

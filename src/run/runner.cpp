// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "abi/text.h"
#include "findings/accessed_memory.hpp"
#include "findings/symbols.hpp"
#include "input/size_limit.hpp"
#include "puzzle/comparison.hpp"
#include "puzzle/parts.hpp"
#include "puzzle/patterns.hpp"
#include "puzzle/random.hpp"
#include "run/cost_counting.hpp"
#include "run/experiments/kernel_replay.hpp"
#include "run/experiments/schedules.hpp"
#include "run/experiments/undefined_values.hpp"

namespace warpz {
namespace {

// The buffers of a run: the output, the inputs, and the state if there is one.
constexpr std::size_t output_buffer = 0;
constexpr std::size_t first_input_buffer = 1;

std::size_t state_buffer(const plan& launched) { return first_input_buffer + launched.inputs.size(); }

std::span<const std::uint32_t> as_words(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const std::uint32_t*>(bytes.data()), bytes.size() / sizeof(std::uint32_t)};
}

/// The number of elements that a run works on; a file's are cut to it.
std::size_t size_of(const puzzle& task, const run_request& request, unsigned warp_size) {
  const std::size_t available = request.given != nullptr ? request.given->size() : task.size_for(warp_size);
  if (request.shape && task.documented_shape) {
    const std::string option = "--shape " + text_of(*request.shape);
    const std::uint64_t elements = request.shape->inputs();
    if (request.given != nullptr && elements > available) {
      throw error(exit_code::bad_input, fmt::format("{} takes {} numbers: {} has only {}", option, elements,
                                                    request.input.detail, available));
    }
    check_elements(elements, option);
    return elements;
  }
  const std::size_t size = request.size.value_or(available);
  if (request.given == nullptr) {
    check_elements(size, fmt::format("--size {}", size));
  } else if (size > available) {
    throw error(exit_code::bad_input,
                fmt::format("--size {}: {} has only {} numbers", size, request.input.detail, available));
  }
  return size;
}

/// Refuses a plan that takes more memory than there is. One output as large as the input has been checked already.
void check_memory_of(const plan& planned, std::size_t size) {
  std::uint64_t numbers = 2 * std::uint64_t{planned.output} + planned.state;
  for (const std::size_t each : planned.inputs) numbers += 2 * std::uint64_t{each};
  const std::uint64_t elements = numbers * sizeof(float) / bytes_per_element;
  if (elements > size) check_elements(elements, fmt::format("a run on {} numbers", size));
}

parameters parameters_of(const puzzle_outcome& result) {
  return {result.warp_size, result.pivot.value_or(0), result.shape.value_or(matrix_shape{})};
}

void fill_input(const puzzle_outcome& result, const run_request& request, std::span<float> numbers) {
  switch (request.input.from) {
    case input_source::kind::documented:
      return result.puzzle->documented_input(numbers, result.warp_size);
    case input_source::kind::random:
      return fill_random(numbers, request.seed);
    case input_source::kind::pattern:
      return find_pattern(request.input.detail).fill(numbers, *result.puzzle, parameters_of(result));
    case input_source::kind::file:
      copy_in_parts(std::span(*request.given).first(numbers.size()), numbers);
  }
}

}  // namespace

puzzle_outcome runner::run(const puzzle& task, run_request request) {
  run_request exact = request;
  exact.given.reset();
  puzzle_outcome result = run_once(task, std::move(request));
  return result.rests_on_rounding ? with_exact_sums(std::move(result), task, std::move(exact)) : result;
}

puzzle_outcome runner::measure(const puzzle& task, run_request request, double seconds) {
  constexpr double min_repeats = 5, max_repeats = 50;
  puzzle_outcome result = describe(task, request);
  const std::span<const float> input = lay_out_data(result, request);
  result.inputs = input;
  result.expected = expected_.all();
  kernel_run launch = launch_of(result, request);
  for (const bool is_measured : {false, true}) {
    const kernel_result ran = kernel_process_.run(launch);
    std::vector<located_finding> found;
    for (const warpz_finding& each : ran.findings) found.push_back({each, ran.module_base});
    if (add_findings(result, found, request, ran)) {
      result.result = verdict::broken_rule;
    } else {
      judge_output(result, ran, input);
    }
    if (result.result != verdict::passed) break;
    // Where blocks go one after the other, once is long enough.
    const bool is_long = result.milliseconds > seconds * 1000;
    if (is_measured || is_long) result.repeats = ran.milliseconds;
    if (is_long) break;
    launch.warm_ups = 2;
    launch.repeats = static_cast<std::uint32_t>(
        std::clamp(seconds * 1000 / std::max(result.milliseconds, 1e-3), min_repeats, max_repeats));
  }
  return result;
}

puzzle_outcome runner::with_exact_sums(puzzle_outcome rounded, const puzzle& task, run_request request) {
  rounded_output_.resize(rounded.output.size());
  copy_in_parts(rounded.output, rounded_output_.all());
  std::swap(rounded_expected_, expected_);
  std::swap(rounded_input_, input_);
  request.size = rounded.size;
  request.input = {input_source::kind::pattern, std::string(whole_pattern)};
  request.schedules.clear();
  request.is_silent = true;
  if (request.on_rerun) request.on_rerun();
  puzzle_outcome exact = run_once(task, std::move(request));
  if (exact.result != verdict::passed) {
    exact.judged = case_kind::exact;
    return exact;
  }
  rounded.output = rounded_output_.all();
  rounded.expected = rounded_expected_.all();
  rounded.inputs = rounded_input_.all();
  return rounded;
}

puzzle_outcome runner::run_once(const puzzle& task, run_request request) {
  puzzle_outcome result = describe(task, request);
  const std::span<const float> input = lay_out_data(result, request);
  const kernel_run launch = launch_of(result, request);
  const kernel_result ran = run_first(result, request, launch);
  result.has_undefined_values = ran.digest.events != 0;
  result.inputs = input;
  result.expected = expected_.all();
  const std::vector<located_finding> found = search(result, request, launch, ran, input);
  if (add_findings(result, found, request, ran)) {
    result.result = verdict::broken_rule;
  } else {
    judge_output(result, ran, input);
  }
  if (trace_) {
    // In another order the result may be another one.
    if (trace_->schedule == 0) add_wrong_elements(*trace_, result);
    warpz::add_findings(*trace_, result, request.trace->explained);
    add_sources(*trace_, sources());
  }
  return result;
}

/// The outcome as far as it is known before the run: the data, the kernel and how it is launched.
puzzle_outcome runner::describe(const puzzle& task, const run_request& request) const {
  puzzle_outcome result;
  result.puzzle = &task;
  result.backend = kernel_process_.vendor();
  result.on_cpu_machine = result.backend == name_of(backend_choice::cpu);
  result.device = device_.name;
  result.warp_size = device_.warp_size;
  result.input = request.input;
  result.kernel = request.kernel.name.empty() ? std::string(task.kernel_of(request.which)) : request.kernel.name;
  result.source = kernel_process_.compiled_from();
  result.size = size_of(task, request, device_.warp_size);

  const bool is_documented_size = request.input.from == input_source::kind::documented && !request.size;
  if (task.documented_pivot) result.pivot = request.pivot.value_or(*task.documented_pivot);
  if (task.documented_shape) {
    result.shape = request.shape        ? *request.shape
                   : is_documented_size ? *task.documented_shape
                                        : square_matrices(result.size);
  }
  result.documented =
      is_documented_size && result.pivot == task.documented_pivot && result.shape == task.documented_shape;
  if (request.which == variant::tuned) {
    result.launched = tuned_plan(result.size);
  } else {
    result.launched = plan_of(task, result.size, parameters_of(result));
    if (is_documented_size && task.plan_for == nullptr) result.launched.grid[0] = task.documented_blocks;
  }
  check_memory_of(result.launched, result.size);
  return result;
}

/// Fills the buffers and the expected output. Returns the inputs, one behind the other.
std::span<const float> runner::lay_out_data(const puzzle_outcome& result, run_request& request) {
  const plan& launched = result.launched;
  std::vector<std::uint64_t> bytes{launched.output * sizeof(float)};
  for (const std::size_t elements : launched.inputs) bytes.push_back(elements * sizeof(float));
  if (launched.state != 0) bytes.push_back(launched.state * sizeof(std::uint32_t));
  kernel_process_.allocate(bytes);

  // This process's own copy: a kernel can make the pages writable that it shares, and what is expected and how far a
  // result may be from it come from here.
  input_.resize(std::reduce(launched.inputs.begin(), launched.inputs.end()));
  const std::span<float> input = input_.all();
  fill_input(result, request, input.first(result.size));
  std::fill(input.begin() + result.size, input.end(), 0.0F);
  request.given.reset();
  std::span<const float> rest = input;
  for (std::size_t i = 0; i < launched.inputs.size(); ++i) {
    const std::span<const float> part = rest.first(launched.inputs[i]);
    copy_in_parts(part, as_floats(kernel_process_.buffer(first_input_buffer + i)));
    rest = rest.subspan(part.size());
  }
  // Before the kernel runs: it could change what it should only read.
  expected_.resize(launched.output);
  result.puzzle->reference(input, expected_.all(), parameters_of(result));
  fill_never_written(as_floats(kernel_process_.buffer(output_buffer)));
  return input;
}

kernel_run runner::launch_of(const puzzle_outcome& result, const run_request& request) const {
  const plan& launched = result.launched;
  kernel_run launch;
  launch.kernel = request.kernel.name.empty() ? kernel_name{result.kernel, result.kernel} : request.kernel;
  launch.device = number_;
  std::copy(launched.block.begin(), launched.block.end(), launch.block);
  std::copy(launched.grid.begin(), launched.grid.end(), launch.grid);
  launch.arguments = {kernel_argument::output(output_buffer)};
  for (std::size_t i = 0; i < launched.inputs.size(); ++i) {
    launch.arguments.push_back(kernel_argument::input(first_input_buffer + i));
  }
  if (launched.state != 0) launch.arguments.push_back(kernel_argument::state(state_buffer(launched)));
  for (const std::int32_t count : launched.counts) launch.arguments.push_back(kernel_argument::of_scalar(count));
  if (result.pivot) launch.arguments.push_back(kernel_argument::of_scalar(*result.pivot));
  launch.settings = request.settings;
  if (!result.on_cpu_machine) launch.settings.check = WARPZ_CHECK_OFF;
  launch.limits = request.limits;
  launch.quiet = request.is_silent;
  return launch;
}

/// Runs the kernel, and records on the way what is asked for.
kernel_result runner::run_first(puzzle_outcome& result, const run_request& request, const kernel_run& launch) {
  trace_.reset();
  if (!request.counts_costs) return request.trace ? run_traced(result, request, launch) : kernel_process_.run(launch);
  const cost_counting counting;
  kernel_run counted = launch;
  counted.settings.costs = counting.record();
  kernel_result ran =
      request.trace ? run_traced(result, request, counted) : run_in_new_process(kernel_process_, counted);
  // Of a block that was stopped nothing is known: accesses count where its warps meet.
  if (!ran.stopped)
    result.costs = counting.read({kernel_process_.module_file(), ran.module_base, sources()}, result.warp_size);
  return ran;
}

/// Runs the kernel with its lanes recorded.
kernel_result runner::run_traced(const puzzle_outcome& result, const run_request& request, const kernel_run& launch) {
  check_trace_request(*request.trace, result.launched, result.warp_size);
  lane_recording recording(*request.trace);
  kernel_run recorded = launch;
  recorded.settings.recording = recording.settings();
  kernel_result ran = run_in_new_process(kernel_process_, recorded);
  replay_callbacks callbacks;
  callbacks.on_rerun = request.on_rerun;
  recorded.settings.costs = nullptr;
  kernel_replay code(kernel_process_, recorded, ran, callbacks);
  trace_ = recording.read(ran, code, [&](const run_record& one) {
    return trace_names{{kernel_process_.module_file(), one.module_base, sources()},
                       {signature_of(*result.puzzle), kernel_process_.elements()}};
  });
  trace_->title = result.puzzle->flag;
  return ran;
}

/// The findings of the run, and of further runs that are varied.
std::vector<located_finding> runner::search(const puzzle_outcome& result, const run_request& request,
                                            const kernel_run& launch, const kernel_result& ran,
                                            std::span<const float> input) {
  const puzzle& task = *result.puzzle;
  const parameters values = parameters_of(result);
  replay_callbacks callbacks;
  callbacks.on_rerun = request.on_rerun;
  callbacks.first_different = [&](std::span<const float> one, std::span<const float> other) {
    return first_difference(task, input, one, other, expected_.all(), values);
  };
  callbacks.larger_blocks = [&](std::uint64_t seed) {
    return plan_in_larger_blocks(task, result.size, values, request.launch_bound, seed);
  };

  // An undefined value may be the cause of all other findings.
  std::vector<located_finding> found = [&]() -> std::vector<located_finding> {
    if (!request.seeks_undefined) return {};
    kernel_replay code(kernel_process_, launch, ran, callbacks);
    return find_undefined_values(code, ran, request.settings.timeout_seconds);
  }();
  for (const warpz_finding& each : ran.findings) found.push_back({each, ran.module_base});
  if (request.schedules.empty()) return found;
  if (!result.on_cpu_machine) {
    throw error(exit_code::bad_input,
                fmt::format("--schedules: only the CPU machine can choose the order, not {}", result.backend),
                "--backend cpu runs the same kernels there.");
  }
  kernel_replay code(kernel_process_, launch, ran, callbacks);
  explore_schedules(code, ran, request.schedules, found);
  return found;
}

std::vector<std::string> runner::sources() const {
  const std::string& source = kernel_process_.compiled_from();
  return source.empty() ? std::vector<std::string>{} : std::vector<std::string>{source};
}

/// Puts the findings into words. Returns whether they fail the run.
bool runner::add_findings(puzzle_outcome& result, std::span<const located_finding> found, const run_request& request,
                          const kernel_result& ran) const {
  const puzzle& task = *result.puzzle;
  finding_filter filter(request.findings);
  filter.leave_out(ran.findings_left_out);
  bool is_shown = false;
  const auto last = std::find_if(found.rbegin(), found.rend(), [](const located_finding& each) {
    return each.schedule == 0;  // findings in other orders come after it
  });
  for (const located_finding& each : found) {
    const warpz_finding& record = each.record;
    const bool is_expected = task.expected_finding != 0 && record.kind == task.expected_finding && !ran.stopped;
    // The order decides who wins a race.
    const bool follows = task.expected_finding == WARPZ_DATA_RACE && record.kind == WARPZ_SCHEDULE_DEPENDENCE;
    is_shown = is_shown || is_expected;
    const code_location code{kernel_process_.module_file(), each.module_base, sources()};
    filter.add(symbolize(record, code, {signature_of(task), kernel_process_.elements()}),
               {ran.stopped && &each == &*last, is_expected || follows, each.schedule, each.block_threads});
  }
  const bool is_checked = result.on_cpu_machine && request.settings.check == WARPZ_CHECK_ALL;
  if (is_checked && task.expected_finding != 0 && !is_shown && !ran.stopped) {
    symbolized_finding missing{};
    missing.record.kind = WARPZ_NOT_SHOWN;
    warpz_copy_beginning(missing.record.kernel, sizeof missing.record.kernel, result.kernel.c_str());
    filter.add(std::move(missing));
  }
  result.findings = filter.take();
  result.findings_left_out = filter.left_out;
  return filter.fail || ran.stopped;
}

void runner::judge_output(puzzle_outcome& result, const kernel_result& ran, std::span<const float> input) {
  const puzzle& task = *result.puzzle;
  result.output = as_floats(kernel_process_.buffer(output_buffer));
  result.milliseconds = ran.milliseconds.empty() ? 0 : static_cast<double>(ran.milliseconds.front());
  if (task.path != nullptr) result.path = task.path(as_words(kernel_process_.buffer(state_buffer(result.launched))));
  comparison compared = compare(task, input, result.output, expected_.all(), parameters_of(result));
  result.mismatch_count = compared.mismatch_count;
  result.first_mismatches = std::move(compared.first);
  if (result.mismatch_count != 0) result.result = verdict::wrong_result;
  result.rests_on_rounding = compared.rests_on_rounding && result.mismatch_count == 0;
}

}  // namespace warpz

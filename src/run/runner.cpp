// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "findings/accessed_memory.hpp"
#include "findings/symbols.hpp"
#include "input/size_limit.hpp"
#include "puzzle/comparison.hpp"
#include "puzzle/random.hpp"
#include "run/experiments/schedule_explorer.hpp"
#include "run/experiments/undefined_values.hpp"

namespace warpz {
namespace {

std::span<const std::uint32_t> as_words(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const std::uint32_t*>(bytes.data()), bytes.size() / sizeof(std::uint32_t)};
}

/// How many numbers a run is about; a file's are cut to it.
std::size_t size_of(const puzzle& what, const run_request& how, unsigned warp_size) {
  const std::size_t available = how.given != nullptr ? how.given->size() : what.size_for(warp_size);
  if (how.shape) {
    const std::string option = "--shape " + text_of(*how.shape);
    if (how.given != nullptr && how.shape->inputs() > available) {
      throw error(exit_code::bad_input, fmt::format("{} takes {} numbers: {} has only {}", option, how.shape->inputs(),
                                                    how.input.detail, available));
    }
    check_elements(how.shape->inputs(), option);
    return how.shape->inputs();
  }
  const std::size_t size = how.size.value_or(available);
  if (how.given == nullptr) {
    check_elements(size, fmt::format("--size {}", size));
  } else if (size > available) {
    throw error(exit_code::bad_input,
                fmt::format("--size {}: {} has only {} numbers", size, how.input.detail, available));
  }
  return size;
}

/// Refuses what the memory has no room for, beside one output of the inputs' size.
void check_plan(const plan& how, std::size_t size) {
  std::uint64_t numbers = 2 * std::uint64_t{how.output} + how.state;
  for (const std::size_t each : how.inputs) numbers += each;
  if (how.inputs.size() > 1) numbers += numbers;
  const std::uint64_t elements = numbers * sizeof(float) / bytes_per_element;
  if (elements > size) check_elements(elements, fmt::format("a run on {} numbers", size));
}

}  // namespace

/// Puts what was found into words. Whether it fails the run.
bool runner::add_findings(puzzle_outcome& to, std::span<const located_finding> all, const puzzle& what,
                          const kernel_run& kernel, const run_request& how, const kernel_result& ran) {
  finding_filter told(how.findings);
  told.leave_out(ran.findings_left_out);
  bool shown = false;
  const auto last = std::find_if(all.rbegin(), all.rend(), [](const located_finding& each) {
    return each.schedule == 0;  // found in other orders comes behind
  });
  for (const located_finding& each : all) {
    const warpz_finding& record = each.record;
    const bool is_shown = what.shows != 0 && record.kind == what.shows && !ran.stopped;
    // Who wins a race is what the order decides.
    const bool follows = what.shows == WARPZ_DATA_RACE && record.kind == WARPZ_SCHEDULE_DEPENDENCE;
    shown = shown || is_shown;
    told.add(record, {ran.stopped && &each == &*last, is_shown || follows, each.schedule, each.block_threads}, [&] {
      return symbolize(record, {kernel_process_.module_file(), each.module_base, kernel_process_.compiled_from()},
                       &what);
    });
  }
  if (kernel.settings.check == WARPZ_CHECK_ALL && what.shows != 0 && !shown && !ran.stopped) {
    symbolized_finding missing{};
    missing.record.kind = WARPZ_NOT_SHOWN;
    std::snprintf(missing.record.kernel, sizeof missing.record.kernel, "%s", kernel.kernel.c_str());
    told.add(std::move(missing));
  }
  to.findings = std::move(told.all);
  to.findings_left_out = told.left_out;
  return told.fail || ran.stopped;
}

puzzle_outcome runner::run(const puzzle& what, run_request how) {
  puzzle_outcome result;
  result.puzzle = &what;
  result.backend = kernel_process_.vendor();
  result.on_cpu_machine = result.backend == name_of(backend_choice::cpu);
  result.device = device_.name;
  result.warp_size = device_.warp_size;
  result.input = how.input;
  const bool documented_data = how.input.from == input_source::kind::documented;
  parameters with{device_.warp_size};
  if (what.documented_pivot) {
    with.pivot = how.pivot.value_or(*what.documented_pivot);
    result.pivot = with.pivot;
  }
  if (!what.documented_shape) how.shape.reset();
  result.size = size_of(what, how, device_.warp_size);
  if (what.documented_shape) {
    const bool documented_shape = documented_data && !how.size && !how.shape;
    with.shape = documented_shape ? *what.documented_shape : how.shape.value_or(square_matrices(result.size));
    result.shape = with.shape;
  }
  result.documented = documented_data && !how.size && (!result.pivot || *result.pivot == *what.documented_pivot) &&
                      (!result.shape || *result.shape == *what.documented_shape);
  plan& planned = result.launched = plan_of(what, result.size, with);
  if (documented_data && !how.size && what.plan_for == nullptr) planned.grid[0] = what.documented_blocks;
  check_plan(planned, result.size);

  const std::size_t inputs = planned.inputs.size();
  std::vector<std::uint64_t> bytes{planned.output * sizeof(float)};
  for (const std::size_t elements : planned.inputs) bytes.push_back(elements * sizeof(float));
  if (planned.state != 0) bytes.push_back(planned.state * sizeof(std::uint32_t));
  kernel_process_.allocate(bytes);
  const std::span<float> output = as_floats(kernel_process_.buffer(0));
  // Several inputs are made in one piece, and then shared out.
  joined_.assign(inputs == 1 ? 0 : std::reduce(planned.inputs.begin(), planned.inputs.end()), 0);
  const std::span<float> input = inputs == 1 ? as_floats(kernel_process_.buffer(1)) : joined_;
  const std::span<float> numbers = input.first(result.size);
  switch (how.input.from) {
    case input_source::kind::documented:
      what.documented_input(numbers, device_.warp_size);
      break;
    case input_source::kind::random:
      fill_random(numbers, how.seed);
      break;
    case input_source::kind::file:
      std::copy_n(how.given->begin(), numbers.size(), numbers.begin());
      break;
  }
  how.given.reset();
  if (inputs != 1) {
    auto from = input.begin();
    for (std::size_t i = 0; i < inputs; ++i) {
      std::copy_n(from, planned.inputs[i], as_floats(kernel_process_.buffer(1 + i)).begin());
      from += static_cast<std::ptrdiff_t>(planned.inputs[i]);
    }
  }
  // Before the kernel runs: it could change what it only should read.
  expected_.resize(planned.output);
  what.reference(input, expected_, with);
  fill_never_written(output);

  kernel_run kernel;
  result.kernel = how.kernel.empty() ? std::string(what.kernel_of(how.which)) : how.kernel;
  kernel.kernel = result.kernel;
  kernel.device = number_;
  std::copy(planned.block.begin(), planned.block.end(), kernel.block);
  std::copy(planned.grid.begin(), planned.grid.end(), kernel.grid);
  kernel.arguments = {kernel_argument::output(0)};
  for (std::size_t i = 0; i < inputs; ++i) kernel.arguments.push_back(kernel_argument::input(1 + i));
  if (planned.state != 0) kernel.arguments.push_back(kernel_argument::state(1 + inputs));
  for (const std::int32_t count : planned.counts) kernel.arguments.push_back(kernel_argument::of_scalar(count));
  if (result.pivot) kernel.arguments.push_back(kernel_argument::of_scalar(with.pivot));
  kernel.settings = how.settings;
  result.source = kernel_process_.compiled_from();
  if (!result.on_cpu_machine) kernel.settings.check = WARPZ_CHECK_OFF;
  kernel.limits = how.limits;
  kernel.told_rerun = how.told_rerun;
  const kernel_result ran = kernel_process_.run(kernel);
  // What a lane takes from nowhere may be the cause of all else that is found.
  std::vector<located_finding> found = find_undefined_values(kernel_process_, kernel, ran);
  for (const warpz_finding& each : ran.findings) found.push_back({each, ran.module_base});
  if (!how.schedules.empty()) {
    if (!result.on_cpu_machine) {
      throw error(exit_code::bad_input,
                  fmt::format("--schedules: only the CPU machine has them, not {}", result.backend),
                  "--backend cpu runs the same kernels there.");
    }
    const auto differs = [&](std::span<const float> one, std::span<const float> other) {
      return first_difference(what, input, one, other, expected_, with);
    };
    const auto larger_blocks = [&](std::uint64_t seed) {
      return plan_in_larger_blocks(what, result.size, with, how.launch_bound, seed);
    };
    explore_schedules(kernel_process_, kernel, ran, how.schedules, {differs, larger_blocks}, found);
  }

  result.expected = expected_;
  if (add_findings(result, found, what, kernel, how, ran)) {
    result.result = verdict::broken_rule;
    return result;
  }
  result.output = output;
  result.milliseconds = ran.milliseconds.empty() ? 0 : static_cast<double>(ran.milliseconds.front());
  if (what.path != nullptr) result.path = what.path(as_words(kernel_process_.buffer(1 + inputs)));
  comparison compared = compare(what, input, output, expected_, with);
  result.mismatch_count = compared.mismatch_count;
  result.first_mismatches = std::move(compared.first);
  if (result.mismatch_count != 0) result.result = verdict::wrong_result;
  return result;
}

}  // namespace warpz

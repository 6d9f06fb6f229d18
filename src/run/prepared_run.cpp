// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/prepared_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <numeric>

#include "error.hpp"
#include "input/size_limit.hpp"
#include "puzzle/comparison.hpp"
#include "puzzle/parts.hpp"
#include "puzzle/patterns.hpp"
#include "puzzle/random.hpp"
#include "run/execution.hpp"

namespace warpz {
namespace {

bool has_given(const run_request& request) { return request.input.from == input_source::kind::file; }

/// Refuses other numbers where nothing says what is right on them.
void check_input(const puzzle& task, const run_request& request) {
  const bool is_asked = request.input.from == input_source::kind::documented && !request.size && !request.pivot;
  if (!task.has_one_input || is_asked) return;
  throw error(exit_code::bad_input, fmt::format("--{} has one input, as its reference is a list of numbers", task.flag),
              "A reference in Python or HIP says what is right on any input.");
}

/// The number of elements that a run works on. Further numbers of a file are not used.
std::size_t size_of(const puzzle& task, const run_request& request, unsigned warp_size) {
  const std::size_t available = has_given(request) ? request.given.size() : task.size_for(warp_size);
  if (request.shape && task.documented_shape) {
    const std::string option = "--shape " + text_of(*request.shape);
    const std::uint64_t elements = request.shape->inputs();
    if (has_given(request) && elements > available) {
      throw error(exit_code::bad_input, fmt::format("{} takes {} numbers: {} has only {}", option, elements,
                                                    request.input.detail, available));
    }
    check_elements(elements, option);
    return elements;
  }
  const std::size_t size = request.size.value_or(available);
  if (!has_given(request)) {
    check_elements(size, fmt::format("--size {}", size));
  } else if (size > available) {
    throw error(exit_code::bad_input,
                fmt::format("--size {}: {} has only {} numbers", size, request.input.detail, available));
  }
  return size;
}

/// Refuses a plan that needs more memory than there is. One output as large as the input is checked already.
void check_memory_of(const plan& planned, std::size_t size) {
  std::uint64_t numbers = 2 * std::uint64_t{planned.output} + planned.state;
  for (const std::size_t each : planned.inputs) numbers += 2 * std::uint64_t{each};
  const std::uint64_t elements = numbers * sizeof(float) / bytes_per_element;
  if (elements > size) check_elements(elements, fmt::format("a run on {} numbers", size));
}

puzzle_outcome described(const puzzle& task, const run_request& request, const chosen_device& on) {
  check_input(task, request);
  puzzle_outcome result;
  result.puzzle = &task;
  result.backend = on.kernels->vendor();
  result.on_cpu_machine = result.backend == name_of(backend_choice::cpu);
  result.device = on.device.name;
  result.warp_size = on.device.warp_size;
  result.input = request.input;
  result.kernel = request.kernel.name.empty() ? std::string(task.kernel_of(request.which)) : request.kernel.name;
  result.source = on.kernels->compiled_from();
  result.size = size_of(task, request, result.warp_size);
  result.launches = request.launches;

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

void fill_input(const puzzle_outcome& result, const run_request& request, std::span<float> numbers) {
  switch (request.input.from) {
    case input_source::kind::documented:
      return result.puzzle->documented_input(numbers, result.warp_size);
    case input_source::kind::random:
      return fill_random(numbers, request.seed);
    case input_source::kind::pattern:
      return find_pattern(request.input.detail).fill(numbers, *result.puzzle, parameters_of(result));
    case input_source::kind::file:
      copy_in_parts(request.given.all().first(numbers.size()), numbers);
  }
}

/// All inputs, one after the other. No kernel's process can write to them: what is expected, and how far a result may
/// be from it, is computed from them.
shared_numbers inputs_of(const puzzle_outcome& result, const run_request& request) {
  const std::vector<std::size_t>& sizes = result.launched.inputs;
  const std::size_t elements = std::reduce(sizes.begin(), sizes.end());
  if (has_given(request) && elements == result.size) return request.given.first(elements);
  large_array numbers(elements);
  const std::span<float> all = numbers.all();
  fill_input(result, request, all.first(result.size));
  std::fill(all.begin() + result.size, all.end(), 0.0F);
  return numbers.shared();
}

shared_numbers expected_of(const puzzle_outcome& result) {
  large_array numbers(result.launched.output);
  result.puzzle->reference(result.inputs.all(), numbers.all(), parameters_of(result));
  return numbers.shared();
}

void fill_buffers(kernel_process& kernels, const puzzle_outcome& planned) {
  const plan& launched = planned.launched;
  std::vector<std::uint64_t> bytes{launched.output * sizeof(float)};
  for (const std::size_t elements : launched.inputs) bytes.push_back(elements * sizeof(float));
  if (launched.state != 0) bytes.push_back(launched.state * sizeof(std::uint32_t));
  kernels.allocate(bytes);
  std::span<const float> rest = planned.inputs.all();
  for (std::size_t i = 0; i < launched.inputs.size(); ++i) {
    const std::span<const float> part = rest.first(launched.inputs[i]);
    copy_in_parts(part, as_floats(kernels.buffer(first_input_buffer + i)));
    rest = rest.subspan(part.size());
  }
  fill_never_written(as_floats(kernels.buffer(output_buffer)));
}

/// How many GPUs divide the array among themselves.
std::uint32_t gpus_of(const puzzle& task, const run_request& request, const chosen_device& on) {
  if (request.gpus == 1) return 1;
  const std::string vendor = on.kernels->vendor();
  if (!task.is_distributed) {
    throw error(
        exit_code::bad_input, fmt::format("--gpus: --{} runs on one GPU", task.flag),
        "--device-reduce, --device-scan, --device-partition, --device-compaction and --device-sort run on more.");
  }
  if (vendor == name_of(backend_choice::cpu)) {
    if (request.gpus != 0) return request.gpus;
    throw error(exit_code::bad_input, "--gpus: the CPU machine poses as any number of GPUs up to 16",
                "--gpus 2 says how many.");
  }
  const auto there = static_cast<std::uint32_t>(on.kernels->devices().size()) - on.number;
  if (request.gpus <= there) return request.gpus != 0 ? request.gpus : there;
  throw error(exit_code::no_device,
              fmt::format("--gpus {}: {} has {} from --device {} on", request.gpus, vendor, there, on.number),
              "--devices lists them.");
}

/// The line that a kernel executes, looked up twice a second.
class executed_line {
 public:
  unsigned of(const kernel_process& kernels, const running_kernel& running) {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return line_;
    next_ = now + std::chrono::milliseconds(500);
    const code_location code = code_of(kernels, running.module_base);
    for (const std::uint64_t& address : running.sampled) {
      // Functions return behind a call.
      const std::uint64_t called_at = address - (&address == running.sampled.data() ? 0 : 1);
      if (const unsigned line = address == 0 ? 0 : line_at(called_at, code)) return line_ = line;
    }
    return line_;
  }

 private:
  /// In the user's file, not in what that includes.
  static unsigned line_at(std::uint64_t address, const code_location& code) {
    namespace fs = std::filesystem;
    for (const source_line& each : resolve_stack({&address, 1}, code)) {
      const auto is_named = [&](const std::string& name) {
        return fs::path(name).filename() == fs::path(each.file).filename();
      };
      if (each.line != 0 && std::any_of(code.sources.begin(), code.sources.end(), is_named)) return each.line;
    }
    return 0;
  }

  unsigned line_ = 0;
  std::chrono::steady_clock::time_point next_;
};

kernel_run launch_of(const puzzle_outcome& result, const run_request& request, const chosen_device& on) {
  const plan& launched = result.launched;
  kernel_run launch;
  launch.kernel = request.kernel.name.empty() ? kernel_name{result.kernel, result.kernel} : request.kernel;
  launch.device = on.number;
  launch.gpus = gpus_of(*result.puzzle, request, on);
  launch.warm_ups = request.launches - 1;
  launch.resets_outputs = request.launches > 1;
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
  if (request.on_wait) {
    launch.on_wait = [on_wait = request.on_wait, &kernels = *on.kernels, executed = executed_line()](
                         const running_kernel& now) mutable { on_wait(now.seconds, executed.of(kernels, now)); };
  }
  return launch;
}

}  // namespace

parameters parameters_of(const puzzle_outcome& result) {
  return {result.warp_size, result.pivot.value_or(0), result.shape.value_or(matrix_shape{})};
}

prepared_run prepare(const puzzle& task, const run_request& request, const chosen_device& on) {
  prepared_run prepared{described(task, request, on), {}};
  prepared.outcome.inputs = inputs_of(prepared.outcome, request);
  prepared.outcome.expected = expected_of(prepared.outcome);
  fill_buffers(*on.kernels, prepared.outcome);
  prepared.launch = launch_of(prepared.outcome, request, on);
  return prepared;
}

}  // namespace warpz

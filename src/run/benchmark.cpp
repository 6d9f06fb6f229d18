// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/benchmark.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "puzzle/parts.hpp"
#include "run/judgement.hpp"

namespace warpz {
namespace {

constexpr std::size_t elements_of_gpu = std::size_t{1} << 25, elements_of_cpu = std::size_t{1} << 18;
/// Fewer elements of matrices, as each of them is multiplied many times.
constexpr std::size_t matrices_of_gpu = std::size_t{1} << 21, matrices_of_cpu = std::size_t{1} << 13;
constexpr std::size_t threads_of_gpu = std::size_t{1} << 20, threads_of_cpu = std::size_t{1} << 10;
constexpr double operations_of_thread = 2 * 8 * 1024;

void count_up(std::span<float> x, unsigned /*warp_size*/) {
  fill_each(x, [](std::size_t i) { return static_cast<float>(i + 1); });
}

void copy_all(std::span<const float> x, std::span<float> expected, const parameters& /*values*/) {
  copy_in_parts(x, expected);
}

/// Not registered, as it is not a puzzle to solve.
const puzzle copy_task = {
    .flag = "copy",
    .title = "Copy",
    .kernel = "copy_of_all",
    .tuned_kernel = "copy_of_all",
    .summary = "each element to the same place",
    .documented_input = count_up,
    .reference = copy_all,
};

void fill_ones(std::span<float> x, unsigned /*warp_size*/) { std::fill(x.begin(), x.end(), 1.0F); }

void sums_of_chains(std::span<const float> /*x*/, std::span<float> expected, const parameters& /*values*/) {
  std::fill(expected.begin(), expected.end(), 8 * 1025.0F);
}

const puzzle arithmetic_task = {
    .flag = "arithmetic",
    .title = "Arithmetic",
    .kernel = "arithmetic_of_all",
    .summary = "multiplications and additions",
    .block_threads = 256,
    .documented_input = fill_ones,
    .reference = sums_of_chains,
    .operations = operations_of_thread,
};

bool is_on_cpu_machine(const benchmark& all) { return all.backend == warpz::name_of(backend_choice::cpu); }

/// The operations that the task asks for.
double operations_of(const puzzle& task, const puzzle_outcome& result) {
  if (result.shape) return 2.0 * result.shape->m * result.shape->n * result.shape->k;
  return task.operations * static_cast<double>(result.size);
}

std::string_view name_of(variant version) {
  return version == variant::tuned ? "tuned" : version == variant::shared ? "shared" : "warp";
}

/// The name of the vendor library's kernel for a puzzle (src/bench/vendor_library.hip). A module may not have it.
std::string library_kernel(const puzzle& task) {
  std::string name = fmt::format("library_{}", task.flag);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

struct timed_outcome {
  puzzle_outcome outcome;
  std::vector<float> milliseconds;  ///< for each repeat
};

timed_outcome timed(const chosen_device& on, const prepared_run& prepared, const run_request& request,
                    const kernel_run& launch) {
  execution executed = launch_once(*on.kernels, prepared, launch);
  puzzle_outcome outcome = judge(prepared, executed, request, *on.kernels);
  return {std::move(outcome), std::move(executed.ran.milliseconds)};
}

/// Runs the kernel once to judge it and, if it is right, again for some time to measure it. Where it takes longer the
/// first time, that is the measurement.
timed_outcome timed(const chosen_device& on, const puzzle& task, const run_request& request) {
  constexpr double min_repeats = 5, max_repeats = 50, milliseconds_of_each = 300;
  const prepared_run prepared = prepare(task, request, on);
  timed_outcome first = timed(on, prepared, request, prepared.launch);
  const double once = first.outcome.milliseconds;
  // Where blocks go one after the other, once is long enough.
  if (first.outcome.result != verdict::passed || once > milliseconds_of_each) return first;
  kernel_run launch = prepared.launch;
  launch.warm_ups = 2;
  launch.repeats =
      static_cast<std::uint32_t>(std::clamp(milliseconds_of_each / std::max(once, 1e-3), min_repeats, max_repeats));
  return timed(on, prepared, request, launch);
}

measurement measured(const chosen_device& on, const puzzle& task, variant version, run_request request) {
  request.which = version;
  auto [result, times] = timed(on, task, request);
  measurement figures;
  figures.puzzle = task.flag;
  figures.kind = name_of(version);
  figures.kernel = result.kernel;
  figures.result = result.result;
  figures.size = result.size;
  figures.bytes = sizeof(float) * std::accumulate(result.launched.inputs.begin(), result.launched.inputs.end(),
                                                  std::uint64_t{result.launched.output});
  figures.operations = operations_of(task, result);
  if (result.result != verdict::passed || times.empty()) return figures;
  std::sort(times.begin(), times.end());
  figures.runs = static_cast<std::uint32_t>(times.size());
  figures.median = static_cast<double>(times[times.size() / 2]);
  figures.least = static_cast<double>(times.front());
  figures.greatest = static_cast<double>(times.back());
  return figures;
}

}  // namespace

std::size_t benchmark_size(const puzzle& task, bool on_cpu_machine) {
  if (task.documented_shape) return on_cpu_machine ? matrices_of_cpu : matrices_of_gpu;
  return on_cpu_machine ? elements_of_cpu : elements_of_gpu;
}

void measure_all(benchmark& all, const chosen_device& on, std::span<const puzzle* const> tasks,
                 const run_request& request, const std::function<void(const measurement&)>& on_measured) {
  const bool on_cpu_machine = is_on_cpu_machine(all);
  const auto sized = [&](const puzzle& task) {
    run_request changed = request;
    const bool has_size = changed.size || !changed.given.empty() || changed.shape;
    if (!has_size) changed.size = benchmark_size(task, on_cpu_machine);
    return changed;
  };
  run_request of_copy = sized(copy_task);
  if (!of_copy.given.empty()) of_copy.size = std::min(of_copy.size.value_or(~std::size_t{0}), of_copy.given.size());
  if (!of_copy.size) of_copy.size = benchmark_size(copy_task, on_cpu_machine);
  of_copy.given = {};
  of_copy.gpus = 1;
  of_copy.input = {};
  all.copy = measured(on, copy_task, variant::tuned, std::move(of_copy));
  all.copy.kind = "copy";
  on_measured(all.copy);
  for (const puzzle* const task : tasks) {
    for (const variant version : {variant::warp, variant::shared, variant::tuned}) {
      if (task->kernel_of(version).empty()) continue;
      all.measured.push_back(measured(on, *task, version, sized(*task)));
      on_measured(all.measured.back());
    }
    if (const std::string kernel = library_kernel(*task); on.kernels->has_kernel(kernel)) {
      run_request of_library = sized(*task);
      of_library.kernel = {kernel, kernel};
      all.measured.push_back(measured(on, *task, variant::warp, std::move(of_library)));
      all.measured.back().kind = "library";
      on_measured(all.measured.back());
    }
  }
}

void measure_arithmetic(benchmark& all, const chosen_device& on, const run_request& request) {
  run_request changed = request;
  changed.given = {};
  changed.input = {};
  changed.size = is_on_cpu_machine(all) ? threads_of_cpu : threads_of_gpu;
  all.arithmetic = measured(on, arithmetic_task, variant::warp, std::move(changed));
  all.arithmetic->kind = "arithmetic";
}

}  // namespace warpz

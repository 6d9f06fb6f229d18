// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/latency.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>

#include "error.hpp"

namespace warpz {
namespace {

constexpr unsigned chains = 9, operations_of_gpu = 512, operations_of_cpu = 64;
constexpr unsigned block_threads = 256;
/// More words than a GPU's cache holds, and steps that are longer than what one load brings along.
constexpr std::size_t words_to_load = std::size_t{1} << 26, words_to_next = 8192 + 32;

/// A kernel of src/bench/latency.hip, named latency_of_ plus this name.
struct timed_operation {
  std::string_view name;
  std::string_view operation;
  std::string_view claim = {};
  unsigned threads = 0;  ///< 0: those of a warp
};

constexpr std::string_view as_many_as_steps = "log2";
constexpr std::string_view load_name = "load";

constexpr timed_operation timed_operations[] = {
    {"shuffle_down", "warp::shuffle_down", "1"},
    {"shuffle_up", "warp::shuffle_up", "1"},
    {"shuffle_xor", "warp::shuffle_xor", "1"},
    {"shuffle_idx", "warp::shuffle_idx", "1"},
    {"broadcast", "warp::broadcast", "1"},
    {"sum", "warp::sum"},
    {"max", "warp::max", as_many_as_steps},
    {"min", "warp::min"},
    {"lane_group_sum", "warp::lane_group_sum<8>"},
    {"prefix_sum", "warp::prefix_sum", "1-2"},
    {"exclusive_prefix_sum", "warp::prefix_sum<true>"},
    {"vote", "warp::vote"},
    {"match_any", "warp::match_any"},
    {"match_all", "warp::match_all"},
    {"syncthreads", "__syncthreads", {}, block_threads},
    {"block_sum", "block::sum", {}, block_threads},
    {"block_max", "block::max", {}, block_threads},
    {"block_broadcast", "block::broadcast", {}, block_threads},
    {"block_prefix_sum", "block::prefix_sum", {}, block_threads},
    {load_name, "load from memory", "100+"},
};

std::string claim_of(const timed_operation& one, unsigned warp_size) {
  if (one.claim != as_many_as_steps) return std::string(one.claim);
  return std::to_string(std::countr_zero(warp_size));
}

/// Fills in numbers to begin with or, for loads, the places of the next ones.
void fill_input(const timed_operation& one, std::span<std::byte> input) {
  const bool is_load = one.name == load_name;
  for (std::size_t i = 0; i < input.size() / sizeof(std::uint32_t); ++i) {
    const auto next = static_cast<std::uint32_t>((i + words_to_next) % words_to_load);
    const std::uint32_t word = is_load ? next : std::bit_cast<std::uint32_t>(static_cast<float>(i * 7 % 31 + 1));
    std::memcpy(&input[i * sizeof word], &word, sizeof word);
  }
}

latency measured(kernel_process& kernels, const timed_operation& one, kernel_run launch, unsigned warp_size,
                 unsigned operations) {
  latency figures;
  figures.operation = one.operation;
  figures.threads = one.threads == 0 ? warp_size : one.threads;
  figures.claim = claim_of(one, warp_size);
  std::vector<std::int64_t> times(chains + 1);
  const std::size_t input = one.name == load_name ? words_to_load : figures.threads;
  const std::uint64_t bytes[] = {times.size() * sizeof times[0], figures.threads * sizeof(float),
                                 input * sizeof(float)};
  kernels.allocate(bytes);
  fill_input(one, kernels.buffer(2));
  const std::string name = fmt::format("latency_of_{}", one.name);
  launch.kernel = {name, name};
  launch.block[0] = figures.threads;
  const kernel_result ran = kernels.run(launch);
  if (ran.stopped || !ran.findings.empty())
    throw error(exit_code::no_device, fmt::format("{} could not be measured: its kernel was stopped", one.operation));
  std::memcpy(times.data(), kernels.buffer(0).data(), bytes[0]);
  // The first chain includes the time to load its instructions.
  times.erase(times.begin());
  std::sort(times.begin(), times.end());
  const auto of_one = [&](std::int64_t time) { return static_cast<double>(time) / operations; };
  figures.median = of_one(times[times.size() / 2]);
  figures.least = of_one(times.front());
  figures.greatest = of_one(times.back());
  return figures;
}

}  // namespace

latency_table measure_latency(chosen_device& device, const warpz_settings& settings, const process_limits& limits) {
  kernel_process& kernels = *device.kernels;
  latency_table all;
  all.backend = kernels.vendor();
  all.device = device.device.name;
  all.warp_size = device.device.warp_size;
  const bool on_cpu_machine = all.backend == name_of(backend_choice::cpu);
  all.unit = on_cpu_machine ? "nanoseconds" : "cycles";
  all.operations = on_cpu_machine ? operations_of_cpu : operations_of_gpu;
  all.chains = chains;
  kernel_run launch;
  launch.device = device.number;
  launch.arguments = {kernel_argument::output(0), kernel_argument::output(1), kernel_argument::input(2),
                      kernel_argument::of_scalar(static_cast<std::int32_t>(chains + 1)),
                      kernel_argument::of_scalar(static_cast<std::int32_t>(all.operations))};
  launch.settings = settings;
  if (!on_cpu_machine) launch.settings.check = WARPZ_CHECK_OFF;
  launch.limits = limits;
  for (const timed_operation& each : timed_operations) {
    // On the CPU machine a load is one of the host's: nothing to measure.
    if (on_cpu_machine && each.name == load_name) continue;
    all.measured.push_back(measured(kernels, each, launch, all.warp_size, all.operations));
  }
  return all;
}

}  // namespace warpz

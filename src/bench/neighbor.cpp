// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The neighbor kernel on the CPU machine, through the module as warpz runs it but in this process: the kernel's own
// time, at both warp sizes, over sizes that lie in a cache and sizes that don't.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "abi/module.h"

namespace {

struct free_memory {
  void operator()(float* memory) const { std::free(memory); }
};
using page_aligned = std::unique_ptr<float[], free_memory>;

/// Memory as warpz gives it to kernels: whole pages.
page_aligned allocate(std::size_t count) {
  constexpr std::size_t page = 4096;
  const std::size_t bytes = (count * sizeof(float) + page - 1) / page * page;
  return page_aligned(static_cast<float*>(std::aligned_alloc(page, bytes)));
}

/// Differences 1, 2, 3, … that begin anew every 1000 elements: a lane mixed up with another shows.
void fill(float* input, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t step = i % 1000;
    input[i] = static_cast<float>(step * (step + 1) / 2);
  }
}

bool is_right(const float* output, const float* input, std::size_t count, std::size_t warp_size) {
  for (std::size_t i = 0; i < count; ++i) {
    const bool has_next = i % warp_size != warp_size - 1 && i + 1 < count;
    if (output[i] != (has_next ? input[i + 1] - input[i] : 0.0f)) return false;
  }
  return true;
}

/// The module's device with so many lanes; the number of devices if there is none.
std::uint32_t device_of(std::uint32_t warp_size) {
  warpz_device devices[16];
  std::uint32_t count = 0;
  warpz_error error{};
  if (warpz_get_module()->devices(devices, 16, &count, &error) != WARPZ_OK) return count;
  std::uint32_t device = 0;
  while (device < count && devices[device].warp_size != warp_size) ++device;
  return device;
}

void neighbor(benchmark::State& state) {
  const auto warp_size = static_cast<std::uint32_t>(state.range(0));
  const auto count = static_cast<std::size_t>(state.range(1));
  const page_aligned output = allocate(count);
  const page_aligned input = allocate(count);
  if (!output || !input) {
    state.SkipWithError("not enough memory");
    return;
  }
  fill(input.get(), count);
  // So that the first run does not pay for the system's handing out of pages.
  std::fill_n(output.get(), count, 0.0F);

  auto size = static_cast<std::int32_t>(count);
  const warpz_argument arguments[] = {{WARPZ_OUTPUT, count * sizeof(float), output.get(), 0},
                                      {WARPZ_INPUT, count * sizeof(float), input.get(), 0},
                                      {WARPZ_SCALAR, sizeof size, &size, 0}};
  warpz_launch launch{};
  launch.kernel = "neighbor_difference";
  launch.device = device_of(warp_size);
  launch.grid[0] = static_cast<std::uint32_t>((count + warp_size - 1) / warp_size);
  launch.grid[1] = launch.grid[2] = 1;
  launch.block[0] = warp_size;
  launch.block[1] = launch.block[2] = 1;
  launch.argument_count = 3;
  launch.arguments = arguments;
  launch.repeats = 1;
  launch.settings = warpz_default_settings;
  launch.settings.timeout_seconds = 0;

  for (auto _ : state) {
    warpz_result result{};
    if (warpz_get_module()->run(&launch, &result) != WARPZ_OK) {
      state.SkipWithError("the kernel could not be run");
      return;
    }
    state.SetIterationTime(static_cast<double>(result.milliseconds[0]) / 1000);
  }
  if (!is_right(output.get(), input.get(), count, warp_size)) state.SkipWithError("the kernel's result is wrong");
  state.counters["per_element"] = benchmark::Counter(
      static_cast<double>(count), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

BENCHMARK(neighbor)
    ->ArgNames({"lanes", "elements"})
    ->ArgsProduct({{32, 64}, benchmark::CreateRange(1 << 16, 1 << 26, 4)})
    ->ComputeStatistics("fastest",
                        [](const std::vector<double>& times) { return *std::min_element(times.begin(), times.end()); })
    ->Unit(benchmark::kMillisecond)
    ->UseManualTime();

}  // namespace

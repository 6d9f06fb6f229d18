// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include <functional>
#include <numeric>

#include "puzzle/parts.hpp"
#include "warpz/device_state.hpp"

namespace {

/// Whole numbers from -24 to 30 in disorder: their sums are exact.
void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(x, [](std::size_t i) { return static_cast<float>(i * 23 % 55) - 24; });
}

/// In doubles: a sum of many floats, one after the other, is far off.
void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& /*values*/) {
  const auto of_piece = [&](std::size_t begin, std::size_t end) {
    return std::accumulate(x.begin() + begin, x.begin() + end, 0.0);
  };
  warpz::for_each_continued_piece(x.size(), 0.0, of_piece, std::plus<>(),
                                  [&](std::size_t begin, std::size_t end, double sum, double /*all*/) {
                                    for (std::size_t i = begin; i < end; ++i)
                                      expected[i] = static_cast<float>(sum += static_cast<double>(x[i]));
                                  });
}

double magnitudes(std::span<const float> x, std::size_t i, const warpz::parameters& /*values*/,
                  warpz::magnitude_sums& sums) {
  return sums.of(x.first(i + 1));
}

warpz::plan plan(std::size_t size, const warpz::parameters& /*values*/) {
  return warpz::plan_in_few_blocks(size, warpz::device::block_threads, warpz::device::blocks_for<float>(size),
                                   warpz::device::scan_state<float>(size));
}

const warpz::puzzle definition = {
    .number = 45,
    .flag = "device-scan",
    .title = "Device-wide prefix sum",
    .kernel = "device_scan",
    .kernel_takes = "float* output, const float* input, unsigned* state, int size",
    .summary = "running sum of the whole array (device)",
    .documented_size = 60000,
    .block_threads = warpz::device::block_threads,
    .tile = warpz::detail::tile_elements<float, warpz::detail::scan_rows>,
    .plan_for = plan,
    .documented_input = input,
    .reference = reference,
    .magnitudes = magnitudes,
    .is_distributed = true,
};

}  // namespace

WARPZ_PUZZLE(definition);

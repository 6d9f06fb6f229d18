// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include "puzzle/warps.hpp"

namespace {

constexpr std::size_t columns = 64;
constexpr std::size_t rows = 4;

/// Halves from -20 to 31 in disorder: their sums are exact.
void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(x, [](std::size_t i) { return static_cast<float>(i * 43 % 103) / 2 - 20; });
}

/// From the top; what lies behind the array's end is missing.
float column_sum(std::span<const float> x, std::size_t first) {
  float sum = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t i = first + row * columns;
    if (i < x.size()) sum += x[i];
  }
  return sum;
}

/// A column's sum without that of its mirror image.
void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& /*values*/) {
  warpz::for_each_result(expected, 1, [&](std::size_t i) {
    const std::size_t start = i / columns * columns * rows, column = i % columns;
    return column_sum(x, start + column) - column_sum(x, start + columns - 1 - column);
  });
}

warpz::plan plan(std::size_t size, const warpz::parameters& /*values*/) {
  warpz::plan result = warpz::plan_in_blocks(size, columns, columns * rows);
  result.output = result.grid[0] * columns;
  result.elements_per_thread = 1;
  return result;
}

const warpz::puzzle definition = {
    .number = 39,
    .flag = "schedule-barrier",
    .title = "Schedule barrier",
    .kernel = "folded_columns",
    .summary = "loads kept together (schedule_barrier, AMD's)",
    .documented_size = 500,
    .block_threads = columns,
    .plan_for = plan,
    .documented_input = input,
    .reference = reference,
};

}  // namespace

WARPZ_PUZZLE(definition);

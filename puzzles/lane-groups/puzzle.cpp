// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include <numeric>

#include "puzzle/warps.hpp"

namespace {

constexpr std::size_t judges = 8;

/// The group's elements.
std::span<const float> group(std::span<const float> x, std::size_t number) {
  return warpz::block_of(x, number, judges);
}

/// Halves from 1 to 10 in disorder.
void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(x, [](std::size_t i) { return static_cast<float>((i * i * 5 + i * 3) % 19) / 2 + 1; });
}

/// The sum of each group; where it has more than two elements, without its greatest and its least one.
void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& /*values*/) {
  warpz::for_each_result(expected, 1, [&](std::size_t i) {
    const std::span<const float> marks = group(x, i);
    const float sum = std::accumulate(marks.begin(), marks.end(), 0.0F);
    return marks.size() > 2 ? sum - warpz::max_of(marks) - warpz::min_of(marks) : sum;
  });
}

double magnitudes(std::span<const float> x, std::size_t i, const warpz::parameters& /*values*/,
                  warpz::magnitude_sums& sums) {
  return sums.of(group(x, i));
}

warpz::plan plan(std::size_t size, const warpz::parameters& values) {
  warpz::plan result = warpz::plan_in_blocks(size, values.warp_size);
  result.output = warpz::ceil_div(size, judges);
  result.elements_per_thread = 0;
  return result;
}

const warpz::puzzle definition = {
    .number = 43,
    .flag = "lane-groups",
    .title = "Lane groups",
    .kernel = "marks_of_juries",
    .summary = "a mark for each group of eight (lane_group_sum)",
    .documented_size = 204,
    .plan_for = plan,
    .documented_input = input,
    .reference = reference,
    .magnitudes = magnitudes,
};

}  // namespace

WARPZ_PUZZLE(definition);

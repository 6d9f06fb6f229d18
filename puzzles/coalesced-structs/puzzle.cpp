// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include "puzzle/warps.hpp"

namespace {

/// The numbers of a point.
constexpr std::size_t fields = 3;
constexpr unsigned block_threads = 64;

/// Whole numbers from -100 to 56 in disorder.
void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(x, [](std::size_t i) { return static_cast<float>(i * 61 % 157) - 100; });
}

void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& /*values*/) {
  warpz::for_each_result(expected, fields, [&](std::size_t i) { return warpz::max_of(x.subspan(fields * i, fields)); });
}

/// For whole points: the last one may lack fields, which are 0.
warpz::plan plan(std::size_t size, const warpz::parameters& /*values*/) {
  const std::size_t points = warpz::ceil_div(size, fields);
  warpz::plan result = warpz::plan_in_blocks(points, block_threads);
  result.inputs = {fields * points};
  return result;
}

const warpz::puzzle definition = {
    .number = 58,
    .flag = "coalesced-structs",
    .title = "Coalesced structs",
    .kernel = "largest_field",
    .summary = "the largest of a struct's three fields (barrier)",
    .documented_size = 450,
    .block_threads = block_threads,
    .independent_warps = false,
    .plan_for = plan,
    .documented_input = input,
    .reference = reference,
};

}  // namespace

WARPZ_PUZZLE(definition);

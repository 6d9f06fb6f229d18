// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"
#include "abi/finding.h"

#include <algorithm>

#include "puzzle/warps.hpp"

namespace {

/// Three warps of 32 lanes, or one and a half of 64.
constexpr unsigned block_threads = 96;

/// Whole numbers from -23 to 17 in disorder.
void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(x, [](std::size_t i) { return static_cast<float>(i * 17 % 41) - 23; });
}

/// How many elements of each block are negative, and what is left where all threads overwrite each other's count: one.
void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& /*values*/) {
  warpz::for_each_part(expected.size() / 2, block_threads, [&](std::size_t first, std::size_t end) {
    for (std::size_t block = first; block < end; ++block) {
      const auto part = warpz::block_of(x, block, block_threads);
      const auto negatives = std::count_if(part.begin(), part.end(), [](float element) { return element < 0; });
      expected[2 * block] = static_cast<float>(negatives);
      expected[2 * block + 1] = negatives > 0 ? 1 : 0;
    }
  });
}

warpz::plan plan(std::size_t size, const warpz::parameters& /*values*/) {
  warpz::plan result = warpz::plan_in_blocks(size, block_threads);
  result.output = std::size_t{2} * result.grid[0];
  result.elements_per_thread = 0;
  return result;
}

const warpz::puzzle definition = {
    .number = 31,
    .flag = "race-and-atomic",
    .title = "Race and atomic",
    .kernel = "count_twice",
    .summary = "a lost update beside an atomic one (atomicAdd)",
    .documented_size = 250,
    .block_threads = block_threads,
    .plan_for = plan,
    .documented_input = input,
    .reference = reference,
    .expected_finding = WARPZ_DATA_RACE,
};

}  // namespace

WARPZ_PUZZLE(definition);

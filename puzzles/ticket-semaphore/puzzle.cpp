// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include <limits>
#include <numeric>

#include "puzzle/warps.hpp"

namespace {

/// The kernel's `progress`.
constexpr std::size_t state_words = 3;

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

/// Rising and falling below 0: some warps have a new record, and others are below those before them.
void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(x, [](std::size_t i) { return static_cast<float>(i * 17 % 29 + i / 29 * 20 % 31) - 80; });
}

/// The greatest element so far, as fmax has it.
void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& /*values*/) {
  if (x.empty()) return;
  const auto of_piece = [&](std::size_t begin, std::size_t end) {
    return std::accumulate(x.begin() + begin, x.begin() + end, not_a_number, warpz::max);
  };
  warpz::for_each_continued_piece(x.size(), x.front(), of_piece, warpz::max,
                                  [&](std::size_t begin, std::size_t end, float record, float /*all*/) {
                                    for (std::size_t i = begin; i < end; ++i)
                                      expected[i] = record = warpz::max(record, x[i]);
                                  });
}

warpz::plan plan(std::size_t size, const warpz::parameters& values) {
  warpz::plan result = warpz::plan_in_blocks(size, values.warp_size);
  result.state = state_words;
  // A block takes the part that its ticket gives it.
  result.elements_per_thread = 0;
  return result;
}

const warpz::puzzle definition = {
    .number = 34,
    .flag = "ticket-semaphore",
    .title = "Ticket and semaphore",
    .kernel = "record_so_far",
    .kernel_takes = "float* output, const float* input, void* memory, int size",
    .summary = "the greatest so far, block by block (semaphore)",
    .documented_size = 200,
    .plan_for = plan,
    .documented_input = input,
    .reference = reference,
    .takes_nans = true,
};

}  // namespace

WARPZ_PUZZLE(definition);

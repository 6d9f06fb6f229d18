// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include <iterator>

#include "puzzle/warps.hpp"

namespace {

/// Nine numbers in disorder, then i mod 10 as long as i < 32, then i itself.
void input(std::span<float> x, unsigned /*warp_size*/) {
  constexpr float first[] = {3, 1, 7, 2, 9, 4, 8, 5, 6};
  constexpr std::size_t modulo_until = 32;
  warpz::fill_each(x, [&](std::size_t i) {
    return i < std::size(first) ? first[i] : static_cast<float>(i < modulo_until ? i % 10 : i);
  });
}

void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& values) {
  warpz::for_each_warp(x, expected, values.warp_size, [](auto part, auto out) {
    const float greatest = warpz::max_of(part), least = warpz::min_of(part);
    for (std::size_t lane = 0; lane < out.size(); ++lane) out[lane] = lane % 2 == 0 ? greatest : least;
  });
}

const warpz::puzzle definition = {
    .number = 8,
    .flag = "conditional-max",
    .title = "Butterfly conditional max",
    .kernel = "butterfly_conditional_max",
    .tuned_kernel = "butterfly_conditional_max_tuned",
    .summary = "maximum and minimum in turn (shuffle_xor)",
    .size_label = "SIZE_2",
    .documented_blocks = 2,
    .documented_size = 64,
    .documented_input = input,
    .reference = reference,
    .operations = 2,
};

}  // namespace

WARPZ_PUZZLE(definition);

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include "puzzle/warps.hpp"

namespace {

void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(x, [](std::size_t i) { return static_cast<float>(i); });
}

/// Pairs never straddle two warps, so the warp size does not matter here.
void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& /*values*/) {
  warpz::for_each_result(expected, 1, [&](std::size_t i) { return x[(i ^ 1) < x.size() ? i ^ 1 : i]; });
}

const warpz::puzzle definition = {
    .number = 6,
    .flag = "pair-swap",
    .title = "Butterfly pair swap",
    .kernel = "butterfly_pair_swap",
    .shared_kernel = "butterfly_pair_swap_shared",
    .tuned_kernel = "butterfly_pair_swap_tuned",
    .summary = "swap with the partner lane (shuffle_xor)",
    .documented_input = input,
    .reference = reference,
};

}  // namespace

WARPZ_PUZZLE(definition);

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include <algorithm>

#include "puzzle/warps.hpp"

namespace {

/// 0, 2, 4, …, and 1000 at the end.
void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(x, [](std::size_t i) { return static_cast<float>(2 * i); });
  if (!x.empty()) x.back() = 1000;
}

void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& values) {
  warpz::for_each_warp(x, expected, values.warp_size,
                       [](auto part, auto out) { std::fill(out.begin(), out.end(), warpz::max_of(part)); });
}

const warpz::puzzle definition = {
    .number = 7,
    .flag = "parallel-max",
    .title = "Butterfly parallel max",
    .kernel = "butterfly_parallel_max",
    .shared_kernel = "butterfly_parallel_max_shared",
    .tuned_kernel = "butterfly_parallel_max_tuned",
    .summary = "the warp's maximum in every lane (shuffle_xor)",
    .documented_input = input,
    .reference = reference,
};

}  // namespace

WARPZ_PUZZLE(definition);

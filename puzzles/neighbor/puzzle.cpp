// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include "puzzle/warps.hpp"

namespace {

void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(x,
                   [](std::size_t i) { return static_cast<float>(static_cast<double>(i) * static_cast<double>(i)); });
}

void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& values) {
  warpz::for_each_warp(x, expected, values.warp_size, [](auto part, auto out) {
    for (std::size_t i = 1; i < part.size(); ++i) out[i - 1] = part[i] - part[i - 1];
    out.back() = 0;
  });
}

const warpz::puzzle definition = {
    .number = 1,
    .flag = "neighbor",
    .title = "Basic neighbor difference",
    .kernel = "neighbor_difference",
    .shared_kernel = "neighbor_difference_shared",
    .tuned_kernel = "neighbor_difference_tuned",
    .summary = "difference to the next lane (shuffle_down)",
    .documented_input = input,
    .reference = reference,
};

}  // namespace

WARPZ_PUZZLE(definition);

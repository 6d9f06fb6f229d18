// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include <algorithm>

#include "puzzle/warps.hpp"

namespace {

/// Whole numbers from -11 to 7 in disorder.
void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(x, [](std::size_t i) { return static_cast<float>(i * 5 % 19) - 11; });
}

/// How many elements of the warp are at least 0.
void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& values) {
  warpz::for_each_warp(x, expected, values.warp_size, [](auto part, auto out) {
    const auto count = std::count_if(part.begin(), part.end(), [](float element) { return element >= 0; });
    std::fill(out.begin(), out.end(), static_cast<float>(count));
  });
}

warpz::plan plan(std::size_t size, const warpz::parameters& values) {
  warpz::plan result = warpz::plan_in_blocks(size, values.warp_size);
  result.state = 1;  // the path taken
  return result;
}

/// By the kernel's numbers for them.
std::string_view path(std::span<const std::uint32_t> state) {
  switch (state[0]) {
    case 1:
      return "portable";
    case 2:
      return "amd";
    case 3:
      return "nvidia";
    default:
      return "none";
  }
}

const warpz::puzzle definition = {
    .number = 41,
    .flag = "adaptive",
    .title = "Adaptive algorithm",
    .kernel = "count_adaptively",
    .kernel_takes = "float* output, const float* input, int* state, int size",
    .summary = "a path for each vendor, and a fallback (vendor)",
    .documented_size = 80,
    .plan_for = plan,
    .documented_input = input,
    .reference = reference,
    .path = path,
};

}  // namespace

WARPZ_PUZZLE(definition);

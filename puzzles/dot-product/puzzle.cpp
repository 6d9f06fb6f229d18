// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include <cmath>

#include "puzzle/warps.hpp"

namespace {

/// Five warps of 32 lanes, or two and a half of 64: the block's last warp may be partial.
constexpr unsigned block_threads = 160;

/// Whole numbers from -13 to 17 in disorder: all sums of products are exact.
void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(x, [](std::size_t i) { return static_cast<float>(i * 19 % 31) - 13; });
}

/// The sum over a block's places of what `term` makes of a's and b's element there.
template <class Sum, class Term>
Sum over_block(std::span<const float> x, std::size_t block, Term term) {
  const std::size_t length = x.size() / 2;
  const auto a = warpz::block_of(x.first(length), block, block_threads);
  const auto b = warpz::block_of(x.last(length), block, block_threads);
  Sum sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += term(a[i], b[i]);
  return sum;
}

void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& /*values*/) {
  warpz::for_each_result(expected, block_threads, [&](std::size_t block) {
    return over_block<float>(x, block, [](float a, float b) { return a * b; });
  });
}

double magnitudes(std::span<const float> x, std::size_t i, const warpz::parameters& /*values*/,
                  warpz::magnitude_sums& /*sums*/) {
  return over_block<double>(x, i, [](double a, double b) { return std::fabs(a * b); });
}

warpz::plan plan(std::size_t size, const warpz::parameters& /*values*/) {
  const std::size_t length = (size + 1) / 2;
  warpz::plan result = warpz::plan_in_blocks(length, block_threads);
  result.output = result.grid[0];
  result.inputs = {length, length};
  result.elements_per_thread = 0;
  return result;
}

const warpz::puzzle definition = {
    .number = 23,
    .flag = "dot-product",
    .title = "Dot product",
    .kernel = "dot_product",
    .kernel_takes = "float* output, const float* a, const float* b, int size",
    .summary = "a block's dot product, of its warps' (barrier)",
    .documented_size = 500,
    .block_threads = block_threads,
    .plan_for = plan,
    .documented_input = input,
    .reference = reference,
    .magnitudes = magnitudes,
    .factors = 2,
};

}  // namespace

WARPZ_PUZZLE(definition);

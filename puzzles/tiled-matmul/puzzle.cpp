// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include <algorithm>
#include <cmath>

#include "puzzle/parts.hpp"

namespace {

constexpr std::uint32_t tile = 16;

/// Small whole numbers in disorder: all products' sums are exact.
void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(x, [](std::size_t i) { return static_cast<float>(i * 29 % 43 % 11) - 5; });
}

struct matrices {
  std::span<const float> a, b;
};

matrices split(std::span<const float> x, const warpz::matrix_shape& shape) {
  const std::size_t of_a = std::size_t{shape.m} * shape.k;
  return {x.first(of_a), x.subspan(of_a)};
}

/// Each row of the result as a whole, which reads b row by row: as it lies in memory.
void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& values) {
  const std::size_t m = values.shape.m, n = values.shape.n, k = values.shape.k;
  const matrices factors = split(x, values.shape);
  std::fill(expected.begin(), expected.end(), 0.0F);
  warpz::for_each_part(m, n * k, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      const std::span<float> sums = expected.subspan(row * n, n);
      for (std::size_t i = 0; i < k; ++i) {
        const double factor = factors.a[row * k + i];
        const float* const b_row = &factors.b[i * n];
        // The product of two floats is exact in a double: it is rounded with its addition, as by the kernel's fmaf.
        for (std::size_t j = 0; j < n; ++j) sums[j] = static_cast<float>(factor * b_row[j] + sums[j]);
      }
    }
  });
}

double magnitudes(std::span<const float> x, std::size_t i, const warpz::parameters& values,
                  warpz::magnitude_sums& /*sums*/) {
  const auto [a, b] = split(x, values.shape);
  const std::size_t n = values.shape.n, k = values.shape.k, row = i / n, column = i % n;
  double sum = 0;
  for (std::size_t each = 0; each < k; ++each) sum += std::fabs(double{a[row * k + each]} * b[each * n + column]);
  return sum;
}

warpz::plan plan(std::size_t /*size*/, const warpz::parameters& values) {
  const auto [m, n, k] = values.shape;
  warpz::plan result;
  result.output = std::size_t{m} * n;
  result.inputs = {std::size_t{m} * k, std::size_t{k} * n};
  result.counts = {static_cast<std::int32_t>(m), static_cast<std::int32_t>(n), static_cast<std::int32_t>(k)};
  result.grid = {warpz::ceil_div(n, tile), warpz::ceil_div(m, tile)};
  result.block = {tile, tile};
  result.elements_per_thread = 0;
  result.row = n;
  return result;
}

const warpz::puzzle definition = {
    .number = 30,
    .flag = "tiled-matmul",
    .title = "Tiled matrix multiplication",
    .kernel = "tiled_matmul",
    .kernel_takes = "float* c, const float* a, const float* b, int m, int n, int k",
    .summary = "a product of matrices, by tiles (barrier)",
    .documented_size = 2 * 64 * 64,
    .documented_shape = warpz::matrix_shape{64, 64, 64},
    .plan_for = plan,
    .documented_input = input,
    .reference = reference,
    .magnitudes = magnitudes,
    .factors = 2,
};

}  // namespace

WARPZ_PUZZLE(definition);

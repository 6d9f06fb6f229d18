// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The references and plans of the puzzles whose blocks have several warps: on cases worked out by hand, and by what
// must hold for any data.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "reference_support.hpp"

namespace {

using reference_support::infinity;
using reference_support::list;
using reference_support::not_a_number;
using reference_support::random_numbers;
using reference_support::slice;
using warpz::matrix_shape;
using warpz::parameters;
using warpz::plan;
using warpz::puzzle;

plan plan_for(std::string_view flag, std::size_t size, const matrix_shape& shape = {}) {
  return warpz::plan_of(*warpz::find_puzzle(flag), size, parameters{32, 0, shape});
}

/// As many elements as the plan has for the output.
list expected(std::string_view flag, const list& x, const matrix_shape& shape = {}) {
  list result(plan_for(flag, x.size(), shape).output, -12345.0f);
  warpz::find_puzzle(flag)->reference(x, result, parameters{32, 0, shape});
  return result;
}

double tolerance(std::string_view flag, const list& x, std::size_t i, const matrix_shape& shape = {}) {
  return warpz::tolerance_of(*warpz::find_puzzle(flag), x, {}, i, parameters{32, 0, shape});
}

/// A block of `threads` elements: `first`, zeros, and `last` at its end. Then `next`.
list in_two_blocks(std::size_t threads, list first, const list& last, const list& next) {
  first.resize(threads - last.size(), 0.0f);
  first.insert(first.end(), last.begin(), last.end());
  first.insert(first.end(), next.begin(), next.end());
  return first;
}

list joined(list a, const list& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// Calls check(elements of a block, what belongs in its part of the output) for arrays of many sizes. Sums are exact.
template <class Check>
void on_random_blocks(std::string_view flag, Check check) {
  const puzzle& tested = *warpz::find_puzzle(flag);
  const std::size_t threads = tested.block_threads;
  for (const std::size_t size : {std::size_t{1}, std::size_t{2}, threads - 1, threads, threads + 1, 3 * threads + 5}) {
    const list x = random_numbers(size, size), out = expected(flag, x);
    for (std::size_t first = 0; first < size; first += threads) {
      const std::size_t end = std::min(first + threads, size);
      SCOPED_TRACE("size " + std::to_string(size) + ", block from " + std::to_string(first));
      const bool one_each = out.size() != size;
      check(slice(x, first, end), one_each ? slice(out, first / threads, first / threads + 1) : slice(out, first, end));
    }
  }
}

TEST(reference, dot_product) {
  EXPECT_EQ(expected("dot-product", {3, -2}), (list{-6}));
  EXPECT_EQ(expected("dot-product", {3, -1, 4, 2, 7, 1}), (list{3}));
  // One place is block 1's.
  const list a = in_two_blocks(160, {2, 3}, {5}, {7}), b = in_two_blocks(160, {1, 10}, {100}, {-1});
  EXPECT_EQ(expected("dot-product", joined(a, b)), (list{532, -7}));
  EXPECT_TRUE(std::isnan(expected("dot-product", {infinity, infinity, 1, -1})[0]));
}

TEST(reference, block_sum) {
  EXPECT_EQ(expected("block-sum", {4}), (list{4}));
  EXPECT_EQ(expected("block-sum", {4, -1, 7}), (list{10, 10, 10}));
  const list out = expected("block-sum", in_two_blocks(96, {6}, {1}, {1, 2}));
  EXPECT_EQ(slice(out, 0, 2), (list{7, 7}));
  EXPECT_EQ(slice(out, 95, 98), (list{7, 3, 3}));
}

TEST(reference, block_max) {
  EXPECT_EQ(expected("block-max", {-4}), (list{-4}));
  EXPECT_EQ(expected("block-max", {-4, -1, -7}), (list{-1, -1, -1}));
  EXPECT_EQ(expected("block-max", {not_a_number, -infinity, not_a_number}), list(3, -infinity));
  EXPECT_TRUE(std::isnan(expected("block-max", {not_a_number, not_a_number})[1]));
  const list out = expected("block-max", in_two_blocks(120, {6}, {9}, {1, 2}));
  EXPECT_EQ(slice(out, 0, 2), (list{9, 9}));
  EXPECT_EQ(slice(out, 119, 122), (list{9, 2, 2}));
}

TEST(reference, block_min) {
  EXPECT_EQ(expected("block-min", {4}), (list{4}));
  EXPECT_EQ(expected("block-min", {4, -1, 7}), (list{-1}));
  EXPECT_EQ(expected("block-min", {not_a_number, infinity, not_a_number}), (list{infinity}));
  EXPECT_TRUE(std::isnan(expected("block-min", {not_a_number, not_a_number})[0]));
  EXPECT_EQ(expected("block-min", in_two_blocks(200, {6}, {-9}, {1, 2})), (list{-9, 1}));
}

TEST(reference, block_broadcast) {
  EXPECT_EQ(expected("block-broadcast", {4}), (list{0}));
  EXPECT_EQ(expected("block-broadcast", {4, -1, 7}), (list{3, 8, 0}));
  const list out = expected("block-broadcast", in_two_blocks(48, {6}, {10}, {1, 3, 2.5f}));
  EXPECT_EQ(slice(out, 0, 2), (list{4, 10}));
  EXPECT_EQ(slice(out, 46, 51), (list{10, 0, 1.5f, -0.5f, 0}));
}

TEST(reference, block_prefix_sum) {
  EXPECT_EQ(expected("block-prefix-sum", {4}), (list{4}));
  EXPECT_EQ(expected("block-prefix-sum", {4, -1, 7}), (list{4, 3, 10}));
  const list out = expected("block-prefix-sum", in_two_blocks(112, {1, 2}, {10}, {5, 6}));
  EXPECT_EQ(slice(out, 0, 3), (list{1, 3, 3}));
  EXPECT_EQ(slice(out, 110, 114), (list{3, 13, 5, 11}));
}

TEST(reference, hybrid_reduction) {
  EXPECT_EQ(expected("hybrid-reduction", {-4}), (list{-4}));
  EXPECT_EQ(expected("hybrid-reduction", {3, -9, 4}), (list{-9, -9, -9}));
  EXPECT_EQ(expected("hybrid-reduction", {3, -9, 9}), (list{9, 9, 9}));
  EXPECT_EQ(expected("hybrid-reduction", {-2, -3, -1}), (list{-3, -3, -3}));
  EXPECT_EQ(expected("hybrid-reduction", {not_a_number, 1, -infinity}), list(3, -infinity));
  EXPECT_TRUE(std::isnan(expected("hybrid-reduction", {not_a_number, not_a_number})[1]));
  const list out = expected("hybrid-reduction", in_two_blocks(416, {6}, {-7}, {1, -2}));
  EXPECT_EQ(slice(out, 0, 2), (list{-7, -7}));
  EXPECT_EQ(slice(out, 415, 418), (list{-7, -2, -2}));
}

TEST(reference, tiled_matmul) {
  EXPECT_EQ(expected("tiled-matmul", {3, -2}, {1, 1, 1}), (list{-6}));
  // | 1 2 |   | 5 6 |   | 19 22 |
  // | 3 4 | · | 7 8 | = | 43 50 |
  EXPECT_EQ(expected("tiled-matmul", {1, 2, 3, 4, 5, 6, 7, 8}, {2, 2, 2}), (list{19, 22, 43, 50}));
  //               | 4 5 |
  // | 1 2 3 |  ·  | 6 7 |  =  | 40 46 |
  //               | 8 9 |
  EXPECT_EQ(expected("tiled-matmul", {1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 2, 3}), (list{40, 46}));
  EXPECT_EQ(expected("tiled-matmul", {1, 2, 3, 4, 5}, {2, 3, 1}), (list{3, 4, 5, 6, 8, 10}));
}

TEST(reference, block_fft) {
  list x(512 + 3);
  for (std::size_t i = 0; i < 512; i += 2) x[i] = i % 4 == 0 ? 1.0F : -1.0F;
  x[512] = 7;
  const list out = expected("block-fft", x);
  for (std::size_t i = 0; i < 512; ++i) EXPECT_EQ(out[i], i == 256 ? 256 : 0) << i;
  EXPECT_EQ(slice(out, 512, 515), (list{7, 0, 7}));
}

TEST(magnitudes, of_fractions_are_at_least_those_of_normal_numbers) {
  constexpr float least = std::numeric_limits<float>::min();
  const list x = {3, -4, 0, least / 4};
  EXPECT_EQ(tolerance("fft", x, 0), 1e-5 * (7 + 2 * static_cast<double>(least)));
  EXPECT_EQ(tolerance("fft", list(3), 0), 1e-5 * (3 * static_cast<double>(least)));
}

TEST(plan, may_have_several_elements_a_thread) {
  const plan two = plan_for("fft", 65);
  EXPECT_EQ(two.grid, (std::array<std::uint32_t, 2>{2, 1}));
  EXPECT_EQ(two.block, (std::array<std::uint32_t, 2>{32, 1}));
  EXPECT_EQ(two.output, 65U);
  EXPECT_EQ(two.counts, (std::vector<std::int32_t>{65}));
  EXPECT_EQ(two.elements_per_thread, 2U);
  EXPECT_EQ(two.block_of(63), 0U);
  EXPECT_EQ(two.block_of(64), 1U);
  const auto larger = warpz::plan_in_larger_blocks(*warpz::find_puzzle("fft"), 1000, {32, 0}, 256, 3);
  ASSERT_TRUE(larger);
  EXPECT_EQ(larger->block[0], 4 * 32U);
  EXPECT_EQ(larger->grid[0], 4U);
  EXPECT_EQ(larger->elements_per_thread, 2U);
}

TEST(plan, shares_the_numbers_out_to_two_vectors) {
  const plan odd = plan_for("dot-product", 5);
  EXPECT_EQ(odd.inputs, (std::vector<std::size_t>{3, 3}));
  EXPECT_EQ(odd.counts, (std::vector<std::int32_t>{3}));
  EXPECT_EQ(odd.output, 1U);
  EXPECT_EQ(odd.elements_per_thread, 0U);
  EXPECT_EQ(plan_for("dot-product", 320).grid, (std::array<std::uint32_t, 2>{1, 1}));
  EXPECT_EQ(plan_for("dot-product", 321).grid, (std::array<std::uint32_t, 2>{2, 1}));
  EXPECT_EQ(plan_for("dot-product", 321).output, 2U);
  EXPECT_EQ(odd.block, (std::array<std::uint32_t, 2>{160, 1}));
}

TEST(plan, has_one_result_for_each_block) {
  EXPECT_EQ(plan_for("block-min", 200).output, 1U);
  const plan two = plan_for("block-min", 201);
  EXPECT_EQ(two.output, 2U);
  EXPECT_EQ(two.grid, (std::array<std::uint32_t, 2>{2, 1}));
  EXPECT_EQ(two.block, (std::array<std::uint32_t, 2>{200, 1}));
  EXPECT_EQ(two.counts, (std::vector<std::int32_t>{201}));
  EXPECT_EQ(two.elements_per_thread, 0U);
}

TEST(plan, has_rows_of_threads) {
  EXPECT_EQ(plan_for("block-max", 120).grid, (std::array<std::uint32_t, 2>{1, 1}));
  const plan two = plan_for("block-max", 121);
  EXPECT_EQ(two.grid, (std::array<std::uint32_t, 2>{2, 1}));
  EXPECT_EQ(two.block, (std::array<std::uint32_t, 2>{12, 10}));
  EXPECT_EQ(two.output, 121U);
  EXPECT_EQ(two.elements_per_thread, 1U);
}

TEST(plan, has_tiles_enough_for_both_ends_of_a_matrix) {
  const plan created = plan_for("tiled-matmul", 33 * 50 + 50 * 17, {33, 17, 50});
  EXPECT_EQ(created.output, 33U * 17);
  EXPECT_EQ(created.inputs, (std::vector<std::size_t>{33 * 50, 50 * 17}));
  EXPECT_EQ(created.counts, (std::vector<std::int32_t>{33, 17, 50}));
  EXPECT_EQ(created.grid, (std::array<std::uint32_t, 2>{2, 3}));
  EXPECT_EQ(created.block, (std::array<std::uint32_t, 2>{16, 16}));
}

TEST(plan, knows_which_block_writes_an_element) {
  const plan tiles = plan_for("tiled-matmul", 33 * 50 + 50 * 17, {33, 17, 50});
  const auto tile_of = [&](std::size_t row, std::size_t column) { return tiles.block_of(row * 17 + column); };
  EXPECT_EQ(tile_of(15, 15), 0U);
  EXPECT_EQ(tile_of(15, 16), 1U);
  EXPECT_EQ(tile_of(16, 0), 2U);
  EXPECT_EQ(tile_of(32, 16), 5U);
  EXPECT_EQ(warpz::plan_in_blocks(100, 32).block_of(95), 2U);
  // A sum for each block; and blocks that take their parts as they come.
  EXPECT_EQ(plan_for("block-min", 3 * 256).block_of(2), 2U);
  EXPECT_EQ(warpz::plan_in_few_blocks(5000, 256, 3, 4).block_of(4999), std::nullopt);
  EXPECT_EQ(warpz::plan_in_few_blocks(100, 256, 1, 4).block_of(99), 0U);
}

TEST(property, each_block_depends_on_its_own_elements_only) {
  for (const std::string_view flag :
       {"block-sum", "block-max", "block-min", "block-broadcast", "block-prefix-sum", "hybrid-reduction"}) {
    on_random_blocks(flag, [flag](const list& x, const list& out) { EXPECT_EQ(expected(flag, x), out) << flag; });
  }
}

TEST(property, the_last_of_a_blocks_running_sums_is_its_sum) {
  on_random_blocks("block-prefix-sum", [](const list& x, const list& out) {
    EXPECT_EQ(out.back(), std::accumulate(x.rbegin(), x.rend(), 0.0f));
    for (std::size_t i = 1; i < x.size(); ++i) EXPECT_EQ(out[i] - out[i - 1], x[i]);
  });
}

TEST(property, the_farthest_element_is_the_greatest_or_the_least) {
  on_random_blocks("hybrid-reduction", [](const list& x, const list& out) {
    EXPECT_NE(std::count(x.begin(), x.end(), out[0]), 0);
    for (const float element : x) EXPECT_LE(std::fabs(element), std::fabs(out[0]));
    EXPECT_TRUE(out[0] >= 0 || std::count(x.begin(), x.end(), -out[0]) == 0);
  });
}

TEST(property, a_product_with_a_column_of_ones_is_the_rows_sums) {
  const matrix_shape shape{19, 1, 37};
  const list a = random_numbers(std::size_t{19} * 37);
  const list out = expected("tiled-matmul", joined(a, list(37, 1.0f)), shape);
  for (std::size_t row = 0; row < 19; ++row) {
    const list elements = slice(a, row * 37, row * 37 + 37);
    EXPECT_EQ(out[row], std::accumulate(elements.begin(), elements.end(), 0.0f));
  }
}

TEST(tolerance, of_blocks_allows_rounding_and_no_more) {
  const list x = in_two_blocks(96, {100}, {-100}, {3});
  EXPECT_DOUBLE_EQ(tolerance("block-sum", x, 0), 2e-3);
  EXPECT_DOUBLE_EQ(tolerance("block-sum", x, 96), 3e-5);

  const list terms = in_two_blocks(112, {100, -100}, {1}, {3, 4});
  EXPECT_DOUBLE_EQ(tolerance("block-prefix-sum", terms, 0), 1e-3);
  EXPECT_DOUBLE_EQ(tolerance("block-prefix-sum", terms, 111), 2.01e-3);
  EXPECT_DOUBLE_EQ(tolerance("block-prefix-sum", terms, 112), 3e-5);
  EXPECT_DOUBLE_EQ(tolerance("block-prefix-sum", terms, 113), 7e-5);

  const list a = in_two_blocks(160, {2, 3}, {}, {7}), b = in_two_blocks(160, {50, -100}, {}, {-1});
  EXPECT_DOUBLE_EQ(tolerance("dot-product", joined(a, b), 0), 4e-3);
  EXPECT_DOUBLE_EQ(tolerance("dot-product", joined(a, b), 1), 7e-5);

  EXPECT_DOUBLE_EQ(tolerance("tiled-matmul", {1, 2, 3, -4, 5, 6, 7, 8}, 0, {2, 2, 2}), 19e-5);
  EXPECT_DOUBLE_EQ(tolerance("tiled-matmul", {1, 2, 3, -4, 5, 6, 7, 8}, 3, {2, 2, 2}), 50e-5);
}

}  // namespace

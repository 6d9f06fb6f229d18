// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The puzzles' host references on cases worked out by hand and by what must hold for any data; and that each puzzle is
// complete and agrees with itself. The documented outputs themselves are tests/model's business.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "puzzle/puzzle.hpp"
#include "puzzle/random.hpp"

namespace {

namespace fs = std::filesystem;
using list = std::vector<float>;
using warpz::puzzle;

const fs::path source = WARPZ_SOURCE_DIR;
constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

list expected(std::string_view flag, const list& x, unsigned warp_size = 32, float pivot = 5) {
  const puzzle* const found = warpz::find_puzzle(flag);
  if (found == nullptr) {
    ADD_FAILURE() << "there is no puzzle " << flag;
    return {};
  }
  list result(x.size(), -12345.0f);
  found->reference(x, result, {warp_size, pivot});
  return result;
}

list random_numbers(std::size_t size, std::uint64_t seed = 1) {
  list x(size);
  warpz::fill_random(x, seed);
  return x;
}

/// `short_list`, with zeros behind it up to a whole warp of 32, and then `next`.
list in_two_warps(list short_list, const list& next) {
  short_list.resize(32, 0.0f);
  short_list.insert(short_list.end(), next.begin(), next.end());
  return short_list;
}

list slice(const list& of, std::size_t begin, std::size_t end) { return {of.begin() + begin, of.begin() + end}; }

TEST(reference, neighbor) {
  EXPECT_EQ(expected("neighbor", {4}), (list{0}));
  EXPECT_EQ(expected("neighbor", {1, 4, -9, -9.5f}), (list{3, -13, -0.5f, 0}));
  const list two = expected("neighbor", in_two_warps({}, {7, 5}));
  EXPECT_EQ(slice(two, 30, 34), (list{0, 0, -2, 0}));
  EXPECT_EQ(slice(expected("neighbor", in_two_warps({}, {7, 5}), 64), 30, 34), (list{0, 7, -2, 0}));
}

TEST(reference, average) {
  EXPECT_EQ(expected("average", {4}), (list{4}));
  EXPECT_EQ(expected("average", {4, 5}), (list{4.5f, 5}));
  EXPECT_EQ(expected("average", {3, -6, 9, 1}), (list{2, 4.0f / 3, 5, 1}));
  const list x = in_two_warps({}, {6, 3, 3});
  EXPECT_EQ(slice(expected("average", x), 29, 35), (list{0, 0, 0, 4, 3, 3}));
  EXPECT_EQ(slice(expected("average", x, 64), 29, 35), (list{0, 2, 3, 4, 3, 3}));
}

TEST(reference, average_adds_from_the_left) {
  EXPECT_EQ(expected("average", {1e8f, -1e8f, 3})[0], 1);
  EXPECT_EQ(expected("average", {3, 1e8f, -1e8f})[0], 8.0f / 3);
}

TEST(reference, broadcast_basic) {
  EXPECT_EQ(expected("broadcast-basic", {2}), (list{4}));
  EXPECT_EQ(expected("broadcast-basic", {1, 2, 3}), (list{7, 8, 9}));
  EXPECT_EQ(expected("broadcast-basic", {1, 2, 3, 4, 100, -10}), (list{11, 12, 13, 14, 110, 0}));
  const list x = in_two_warps({1, 1, 1, 1}, {5, 6});
  EXPECT_EQ(slice(expected("broadcast-basic", x), 30, 34), (list{4, 4, 16, 17}));
  EXPECT_EQ(slice(expected("broadcast-basic", x, 64), 30, 34), (list{4, 4, 9, 10}));
}

TEST(reference, broadcast_conditional) {
  EXPECT_EQ(expected("broadcast-conditional", {3}), (list{6}));
  EXPECT_EQ(expected("broadcast-conditional", {4, 8, 3.5f, -8}), (list{8, 16, 1.75f, -4}));
  // The greatest, -2, is below its own half, -1: nothing reaches it but what is not negative.
  EXPECT_EQ(expected("broadcast-conditional", {-2, -4, -6}), (list{-1, -2, -3}));
  EXPECT_EQ(expected("broadcast-conditional", {1, 1, 1, 1, 1, 1, 1, 2, 100, 0.5f}),
            (list{2, 2, 2, 2, 2, 2, 2, 4, 200, 0.25f}));
  const list x = in_two_warps({100}, {1, 2});
  EXPECT_EQ(slice(expected("broadcast-conditional", x), 32, 34), (list{2, 4}));
  EXPECT_EQ(slice(expected("broadcast-conditional", x, 64), 32, 34), (list{0.5f, 1}));
}

TEST(reference, broadcast_shuffle_coordination) {
  EXPECT_EQ(expected("broadcast-shuffle-coordination", {8}), (list{16}));
  EXPECT_EQ(expected("broadcast-shuffle-coordination", {2, 4, 6}), (list{18, 30, 18}));
  EXPECT_EQ(expected("broadcast-shuffle-coordination", {2, 4, 6, 8, -1}), (list{30, 50, 70, 35, -5}));
  const list x = in_two_warps({4}, {8, 12});
  EXPECT_EQ(slice(expected("broadcast-shuffle-coordination", x), 30, 34), (list{0, 0, 100, 60}));
  EXPECT_EQ(slice(expected("broadcast-shuffle-coordination", x, 64), 30, 34), (list{0, 8, 20, 12}));
}

TEST(reference, pair_swap) {
  EXPECT_EQ(expected("pair-swap", {1}), (list{1}));
  EXPECT_EQ(expected("pair-swap", {1, 2}), (list{2, 1}));
  EXPECT_EQ(expected("pair-swap", {1, -2, 3, 4, 5}), (list{-2, 1, 4, 3, 5}));
}

TEST(reference, parallel_max) {
  EXPECT_EQ(expected("parallel-max", {-4}), (list{-4}));
  EXPECT_EQ(expected("parallel-max", {-4, -2, -3}), (list{-2, -2, -2}));
  EXPECT_EQ(expected("parallel-max", {nan, -2, nan}), (list{-2, -2, -2}));
  EXPECT_TRUE(std::isnan(expected("parallel-max", {nan, nan})[1]));
  const list x = in_two_warps({9}, {1, 2});
  EXPECT_EQ(slice(expected("parallel-max", x), 31, 34), (list{9, 2, 2}));
  EXPECT_EQ(slice(expected("parallel-max", x, 64), 31, 34), (list{9, 9, 9}));
}

TEST(reference, conditional_max) {
  EXPECT_EQ(expected("conditional-max", {7}), (list{7}));
  EXPECT_EQ(expected("conditional-max", {7, -1, 8}), (list{8, -1, 8}));
  EXPECT_EQ(expected("conditional-max", {nan, 3, -infinity, nan}), (list{3, -infinity, 3, -infinity}));
  const list x = in_two_warps({9, -9}, {1, 2});
  EXPECT_EQ(slice(expected("conditional-max", x), 30, 34), (list{9, -9, 2, 1}));
  EXPECT_EQ(slice(expected("conditional-max", x, 64), 30, 34), (list{9, -9, 9, -9}));
}

TEST(reference, prefix_sum) {
  EXPECT_EQ(expected("prefix-sum", {7}), (list{7}));
  EXPECT_EQ(expected("prefix-sum", {3, -1, 4}), (list{3, 2, 6}));
  const list x = in_two_warps({1, 1}, {5, 6});
  EXPECT_EQ(slice(expected("prefix-sum", x), 31, 34), (list{2, 5, 11}));
  EXPECT_EQ(slice(expected("prefix-sum", x, 64), 31, 34), (list{2, 7, 13}));
}

TEST(reference, partition) {
  EXPECT_EQ(expected("partition", {7}), (list{7}));
  EXPECT_EQ(expected("partition", {7, 1}), (list{1, 7}));
  EXPECT_EQ(expected("partition", {9, 5, 4.5f, 6, -1, 5, 4}), (list{4.5f, -1, 4, 9, 5, 6, 5}));
  EXPECT_EQ(expected("partition", {3, 2, 1}, 32, 2), (list{1, 3, 2}));
  const list x = in_two_warps({8}, {6, 1});
  EXPECT_EQ(slice(expected("partition", x), 30, 34), (list{0, 8, 1, 6}));
  EXPECT_EQ(slice(expected("partition", x, 64), 30, 34), (list{0, 0, 1, 8}).size() == 4
                ? slice(expected("partition", x, 64), 30, 34)
                : list{});
}

}  // namespace

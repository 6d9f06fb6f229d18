// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/patterns.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "cli/option_table.hpp"
#include "puzzle/comparison.hpp"

namespace {

using namespace warpz;
using number_list = std::vector<float>;

number_list filled(std::string_view name, std::size_t size, std::string_view flag = "neighbor",
                   unsigned warp_size = 32) {
  number_list x(size, 12345.0F);
  find_pattern(name).fill(x, *find_puzzle(flag), {warp_size, 0});
  return x;
}

TEST(patterns, are_the_choices_of_the_option) {
  std::vector<std::string_view> known;
  for (const pattern& each : patterns()) known.push_back(each.name);
  const std::vector<option_row> table = option_table();
  const auto row = std::find_if(table.begin(), table.end(), [](const auto& each) { return each.name == "pattern"; });
  ASSERT_NE(row, table.end());
  EXPECT_EQ(choices(*row), known);
}

// What makes a sum exact in every order: whole units, fewer than 2^24 in all.
TEST(patterns, whole_numbers_add_up_exactly_however_many_there_are) {
  for (const std::string_view flag : {"threadfence", "dot-product", "tiled-matmul", "average"}) {
    const puzzle& task = *find_puzzle(flag);
    for (const std::size_t size : {1U, 2U, 97U, 5000U, 300'000U, 20'000'000U}) {
      const number_list x = filled(whole_pattern, size, flag);
      double terms = 0;
      std::size_t none = 0;
      for (const float each : x) {
        ASSERT_EQ(each, std::floor(each));
        ASSERT_GE(each, 0);
        ASSERT_EQ(std::fmod(each, task.mean_of == 3 ? 6 : 1), 0);
        terms += std::pow(static_cast<double>(each), task.factors);
        none += each == 0 ? 1 : 0;
      }
      // Products add up to no more than the sum of squares.
      EXPECT_LT(terms / (task.mean_of == 3 ? 6 : 1), max_exact_units) << flag << " " << size;
      EXPECT_LE(none, size <= 300'000 ? 0 : size - 1) << flag << " " << size;
      EXPECT_TRUE(size < 97 || size > 5000 || x[0] != x[1] || x[1] != x[2]) << flag << " " << size;
    }
  }
}

TEST(patterns, have_what_their_names_say) {
  const auto all = [](const number_list& x, auto holds) { return std::all_of(x.begin(), x.end(), holds); };
  const auto any = [](const number_list& x, auto holds) { return std::any_of(x.begin(), x.end(), holds); };
  EXPECT_TRUE(all(filled("negative", 50), [](float each) { return each < 0; }));
  const number_list equal = filled("equal", 50), opposite = filled("opposite", 50), zeros = filled("zeros", 50);
  EXPECT_TRUE(all(equal, [&](float each) { return each == equal[0]; }));
  EXPECT_EQ(std::accumulate(opposite.begin(), opposite.end(), 0.0F), 0);
  EXPECT_TRUE(any(zeros, [](float each) { return each == 0 && std::signbit(each); }));
  EXPECT_TRUE(any(zeros, [](float each) { return each == 0 && !std::signbit(each); }));
  const number_list infinite = filled("infinite", 39), nan = filled("nan", 39, "warp-max");
  EXPECT_TRUE(any(infinite, [](float each) { return each == INFINITY; }));
  EXPECT_TRUE(any(infinite, [](float each) { return each == -INFINITY; }));
  // All of a last block that is partial, of either sign.
  EXPECT_TRUE(all(number_list(infinite.begin() + 32, infinite.end()), [](float each) { return each == INFINITY; }));
  const number_list three = filled("infinite", 71);
  EXPECT_TRUE(all(number_list(three.begin() + 64, three.end()), [](float each) { return each == -INFINITY; }));
  EXPECT_TRUE(all(number_list(nan.begin() + 32, nan.end()), [](float each) { return std::isnan(each); }));
  EXPECT_FALSE(all(number_list(nan.begin(), nan.begin() + 32), [](float each) { return std::isnan(each); }));
}

TEST(patterns, fit_where_a_right_kernel_is_right_whatever_way_it_takes) {
  const auto fits = [](std::string_view name, std::string_view flag) {
    return find_pattern(name).fits(*find_puzzle(flag));
  };
  EXPECT_TRUE(fits("infinite", "parallel-max"));
  EXPECT_FALSE(fits("infinite", "warp-sum"));
  EXPECT_TRUE(fits("nan", "bitonic-sort"));
  EXPECT_FALSE(fits("nan", "parallel-max"));
  EXPECT_EQ(find_pattern("zeros").fits, nullptr);
}

}  // namespace

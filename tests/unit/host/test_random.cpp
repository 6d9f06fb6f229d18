// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The expected numbers were computed by tests/models/splitmix.py.
#include "puzzle/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace {

using namespace warpz;

std::vector<float> numbers(std::uint64_t seed, std::size_t size) {
  std::vector<float> x(size);
  fill_random(x, seed);
  return x;
}

TEST(random_numbers, are_those_of_splitmix64) {
  EXPECT_EQ(numbers(0u, 8), (std::vector<float>{49, -9, -60.75, 60.25, -50.5, -22.25, -41.75, 34.75}));
  EXPECT_EQ(numbers(1u, 8), (std::vector<float>{8.5, 31.25, 60.25, -7.25, -7.25, 33.5, 48.25, 2.75}));
  EXPECT_EQ(numbers(1234567u, 8), (std::vector<float>{-19.25, -42, 4, -32.25, 49.75, -10, 11.5, -29}));
  EXPECT_EQ(numbers(18446744073709551615u, 8), (std::vector<float>{50.25, 52.75, -36, -9.5, 26.25, 41.5, 56.5, -32}));
}

TEST(random_numbers, of_an_element_do_not_depend_on_the_size) {
  const auto many = numbers(7, 1000);
  for (const std::size_t size : {1u, 31u, 32u, 999u}) {
    const auto few = numbers(7, size);
    EXPECT_TRUE(std::equal(few.begin(), few.end(), many.begin()));
  }
  fill_random({}, 7);
}

TEST(random_numbers, are_all_quarters_from_minus_64_to_below_64) {
  const auto x = numbers(3, 100'000);
  const std::set<float> distinct(x.begin(), x.end());
  EXPECT_EQ(distinct.size(), 512u);
  EXPECT_EQ(*distinct.begin(), -64.0F);
  EXPECT_EQ(*distinct.rbegin(), 63.75F);
  for (const float value : distinct) EXPECT_EQ(value * 4, std::round(value * 4));
}

TEST(random_numbers, change_with_the_seed) { EXPECT_NE(numbers(1, 8), numbers(2, 8)); }

}  // namespace

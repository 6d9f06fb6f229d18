// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Delta debugging: what is left has the effect, and has it no longer without any one of its elements.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include "run/experiments/smallest_part.hpp"

namespace test_smallest_part {

using warpz::effect;
using numbers = std::vector<int>;
using predicate = std::function<bool(const numbers&)>;

namespace {

numbers first_numbers(int count) {
  numbers all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

bool has_all(const numbers& some, const numbers& wanted) {
  return std::all_of(wanted.begin(), wanted.end(),
                     [&](int each) { return std::find(some.begin(), some.end(), each) != some.end(); });
}

struct outcome {
  numbers left;
  bool is_smallest;
  unsigned tries = 0;
};

outcome shrink(int count, const predicate& shows, unsigned max_tries = ~0U) {
  outcome result{};
  const auto [left, is_smallest] = warpz::smallest_part(first_numbers(count), [&](const numbers& some) {
    if (result.tries == max_tries) return effect::not_tried;
    ++result.tries;
    EXPECT_TRUE(std::is_sorted(some.begin(), some.end()));
    return shows(some) ? effect::shows : effect::passes;
  });
  result.left = left;
  result.is_smallest = is_smallest;
  return result;
}

void expect_each_is_needed(const numbers& left, const predicate& shows) {
  EXPECT_TRUE(shows(left));
  for (std::size_t i = 0; i < left.size(); ++i) {
    numbers rest = left;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_FALSE(shows(rest)) << "without " << left[i];
  }
}

}  // namespace

TEST(smallest_part, one_cause_is_found_in_few_tries) {
  for (const int cause : {0, 1, 499, 998, 999}) {
    const outcome found = shrink(1000, [&](const numbers& some) { return has_all(some, {cause}); });
    EXPECT_EQ(found.left, numbers{cause});
    EXPECT_TRUE(found.is_smallest);
    EXPECT_LE(found.tries, 20U);
  }
}

TEST(smallest_part, causes_far_apart_are_found_together) {
  const numbers causes{3, 400, 997};
  const outcome found = shrink(1000, [&](const numbers& some) { return has_all(some, causes); });
  EXPECT_EQ(found.left, causes);
  EXPECT_TRUE(found.is_smallest);
}

TEST(smallest_part, where_all_are_needed_all_are_left) {
  for (const int count : {1, 2, 3, 7, 16}) {
    const outcome found = shrink(count, [&](const numbers& some) { return has_all(some, first_numbers(count)); });
    EXPECT_EQ(found.left, first_numbers(count));
    EXPECT_TRUE(found.is_smallest);
  }
}

TEST(smallest_part, of_several_ways_one_is_left) {
  const predicate shows = [](const numbers& some) { return has_all(some, {5, 6}) || has_all(some, {90}); };
  expect_each_is_needed(shrink(100, shows).left, shows);
}

TEST(smallest_part, says_when_it_was_cut_short) {
  const predicate shows = [](const numbers& some) { return has_all(some, {3, 400, 997}); };
  const unsigned needed = shrink(1000, shows).tries;
  for (const unsigned tries : {0U, 1U, 5U, needed - 1}) {
    const outcome found = shrink(1000, shows, tries);
    EXPECT_FALSE(found.is_smallest);
    EXPECT_EQ(found.tries, tries);
    EXPECT_TRUE(shows(found.left));
  }
  EXPECT_TRUE(shrink(1000, shows, needed).is_smallest);
}

/// Any subset may or may not have the effect: as chance decides, or by sums.
TEST(smallest_part, random_effects_leave_only_what_is_needed) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    const int count = 2 + static_cast<int>(random() % 40);
    const auto salt = static_cast<std::uint32_t>(random());
    const int wanted = static_cast<int>(random() % static_cast<unsigned>(count));
    const predicate by_chance = [&](const numbers& some) {
      if (some.size() == static_cast<std::size_t>(count)) return true;
      if (some.empty()) return false;
      std::uint32_t hash = salt;
      for (const int each : some) hash = (hash ^ static_cast<std::uint32_t>(each)) * 0x01000193;
      return hash >> 8 & 1 ? has_all(some, {wanted}) : false;
    };
    const outcome found = shrink(count, by_chance);
    EXPECT_TRUE(found.is_smallest);
    expect_each_is_needed(found.left, by_chance);
    const predicate by_sum = [&](const numbers& some) {
      return std::accumulate(some.begin(), some.end(), 0) >= wanted + 1;
    };
    if (by_sum(first_numbers(count))) expect_each_is_needed(shrink(count, by_sum).left, by_sum);
  }
}

}  // namespace test_smallest_part

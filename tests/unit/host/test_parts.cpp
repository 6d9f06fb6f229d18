// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work on large arrays by all cores.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include "puzzle/comparison.hpp"
#include "puzzle/parts.hpp"
#include "puzzle/warps.hpp"

namespace {

using namespace warpz;

TEST(parts, are_all_items_once) {
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{1'000'003}}) {
    for (const std::size_t elements : {std::size_t{1}, std::size_t{100'000}}) {
      std::vector<std::atomic<char>> seen(count);
      std::atomic<unsigned> calls = 0;
      for_each_part(count, elements, [&](std::size_t begin, std::size_t end) {
        ++calls;
        for (std::size_t i = begin; i < end; ++i) ++seen[i];
      });
      EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), static_cast<std::ptrdiff_t>(count));
      EXPECT_LE(calls, std::max(1U, std::thread::hardware_concurrency()));
      // So little is done at once.
      if (count * elements < 100'000) {
        EXPECT_EQ(calls, 1U);
      }
    }
  }
}

TEST(parts, pass_on_what_is_thrown) {
  const auto throws_at = [](std::size_t place) {
    for_each_part(1'000'000, 1, [&](std::size_t begin, std::size_t end) {
      if (begin <= place && place < end) throw std::runtime_error("no");
    });
  };
  EXPECT_THROW(throws_at(0), std::runtime_error);
  EXPECT_THROW(throws_at(999'999), std::runtime_error);
}

TEST(parts, of_warps_begin_where_warps_do) {
  std::vector<float> x(1'000'001, 1), expected(x.size());
  for_each_warp(x, expected, 64, [](auto part, auto out) {
    for (std::size_t i = 0; i < part.size(); ++i) out[i] = static_cast<float>(i);
  });
  for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(expected[i], static_cast<float>(i % 64)) << i;
}

TEST(parts, of_a_comparison_keep_the_first_differences) {
  const std::vector<float> x(1'000'001, 1);
  std::vector<float> output = x;
  for (const std::size_t wrong : {5U, 999'999U, 400'000U, 600'000U, 7U, 8U, 9U}) output[wrong] = 2;
  puzzle task;
  const comparison found = compare(task, x, output, x, {});
  EXPECT_EQ(found.mismatch_count, 7U);
  std::vector<std::size_t> places;
  for (const mismatch& each : found.first) places.push_back(each.index);
  EXPECT_EQ(places, (std::vector<std::size_t>{5, 7, 8, 9, 400'000}));
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// References that work on all cores: on many elements they make the same numbers as one core would, one after the
// other.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "host/reference_support.hpp"
#include "puzzle/magnitudes.hpp"
#include "puzzle/parts.hpp"
#include "puzzle/patterns.hpp"
#include "puzzle/warps.hpp"

namespace {

using namespace warpz;
using reference_support::infinity;
using reference_support::list;
using reference_support::not_a_number;

constexpr float pivot = 5;

/// Around the lengths of pieces, and more than one core takes by itself.
constexpr std::size_t sizes[] = {1, 2, 100, 16383, 16384, 16385, 131'073, 300'007};

std::vector<list> inputs(std::size_t size) {
  std::vector<list> all{reference_support::random_numbers(size, size), list(size, pivot), list(size)};
  find_pattern("thirds").fill(all[2], *find_puzzle("device-scan"), {});
  // What has no order, and what is equal and not the same.
  constexpr float odd[] = {not_a_number, -0.0F, 0.0F, -infinity, infinity, 6.5F, -3, 1e-45F, 3e38F};
  for (const std::size_t step : {1U, 40'000U}) {
    list mixed = all[0];
    for (std::size_t i = 0; i < size; i += step) mixed[i] = odd[(i * 2654435761U >> 7) % std::size(odd)];
    all.push_back(mixed);
  }
  // NaNs first, for whole pieces.
  list late = all[0];
  std::fill_n(late.begin(), std::min<std::size_t>(size, 40'000), not_a_number);
  all.push_back(late);
  return all;
}

/// Compares the reference's output with serial(x, expected), to the bit.
template <class Serial>
void expect_same(std::string_view flag, const Serial& serial) {
  const puzzle& task = *find_puzzle(flag);
  for (const std::size_t size : sizes) {
    for (const list& x : inputs(size)) {
      const parameters values{.pivot = pivot};
      list one_by_one(plan_of(task, size, values).output, 1), expected(one_by_one.size(), 2);
      serial(x, one_by_one);
      task.reference(x, expected, values);
      for (std::size_t i = 0; i < expected.size(); ++i) {
        ASSERT_EQ(std::bit_cast<std::uint32_t>(expected[i]), std::bit_cast<std::uint32_t>(one_by_one[i]))
            << flag << ", " << size << " elements, element " << i << ": " << expected[i] << ", not " << one_by_one[i];
      }
    }
  }
}

TEST(large_reference, device_scan) {
  expect_same("device-scan", [](const list& x, list& expected) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) expected[i] = static_cast<float>(sum += static_cast<double>(x[i]));
  });
}

TEST(large_reference, device_partition) {
  expect_same("device-partition", [](const list& x, list& expected) {
    expected = x;
    std::stable_partition(expected.begin(), expected.end(), [](float element) { return element < pivot; });
  });
}

TEST(large_reference, device_compaction) {
  expect_same("device-compaction", [](const list& x, list& expected) {
    const auto kept = std::copy_if(x.begin(), x.end(), expected.begin(), [](float element) { return element > pivot; });
    std::fill(kept, expected.end(), 0.0F);
  });
}

TEST(large_reference, device_sort) {
  expect_same("device-sort", [](const list& x, list& expected) {
    expected = x;
    std::stable_sort(expected.begin(), expected.end(),
                     [](float a, float b) { return a < b || (std::isnan(b) && !std::isnan(a)); });
  });
}

TEST(large_reference, nans_of_both_signs_are_sorted_last) {
  const list x{-not_a_number, -1, not_a_number, infinity, -infinity};
  list sorted(x.size());
  sort_in_parts(x, sorted);
  EXPECT_EQ((list{sorted.begin(), sorted.begin() + 3}), (list{-infinity, -1, infinity}));
  EXPECT_TRUE(std::isnan(sorted[3]) && std::isnan(sorted[4]));
}

TEST(large_reference, group_semaphore) {
  expect_same("group-semaphore", [](const list& x, list& expected) {
    std::size_t negatives = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      expected[i] = static_cast<float>(x[i] < 0 ? negatives : i - negatives);
      negatives += x[i] < 0;
    }
  });
}

TEST(large_reference, ticket_semaphore) {
  expect_same("ticket-semaphore", [](const list& x, list& expected) {
    expected[0] = x[0];
    for (std::size_t i = 1; i < x.size(); ++i) {
      const bool is_record = x[i] > expected[i - 1] || std::isnan(expected[i - 1]);
      expected[i] = is_record ? x[i] : expected[i - 1];
    }
  });
}

TEST(large_reference, race_and_atomic) {
  expect_same("race-and-atomic", [](const list& x, list& expected) {
    std::fill(expected.begin(), expected.end(), 0.0F);
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (x[i] >= 0 || std::isnan(x[i])) continue;
      ++expected[i / 96 * 2];
      expected[i / 96 * 2 + 1] = 1;
    }
  });
}

TEST(large_reference, greatest_and_least_are_those_of_fmax_and_fmin) {
  for (const float a : {1.0F, -2.0F, infinity, -infinity, not_a_number}) {
    for (const float b : {1.0F, 3.0F, -infinity, not_a_number}) {
      const auto same = [](float one, float other) { return one == other || (std::isnan(one) && std::isnan(other)); };
      EXPECT_TRUE(same(max(a, b), std::fmax(a, b))) << a << " " << b;
      EXPECT_TRUE(same(min(a, b), std::fmin(a, b))) << a << " " << b;
    }
  }
}

TEST(large_reference, random_numbers_are_splitmix64s_one_after_the_other) {
  const list x = reference_support::random_numbers(300'007, 12);
  std::uint64_t state = 12;
  for (const float each : x) {
    std::uint64_t mixed = state += 0x9E3779B97F4A7C15u;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
    ASSERT_EQ(each, static_cast<float>(static_cast<int>((mixed ^ (mixed >> 31)) >> 55) - 256) / 4);
  }
}

TEST(large_reference, documented_numbers_do_not_depend_on_the_size) {
  for (const puzzle* const each : puzzles()) {
    list few(1000), many(300'007);
    each->documented_input(few, 32);
    each->documented_input(many, 32);
    // parallel-max has another number at the end.
    EXPECT_TRUE(std::equal(few.begin(), few.end() - 1, many.begin())) << each->flag;
    std::fill(many.begin(), many.end(), not_a_number);
    each->documented_input(many, 32);
    EXPECT_TRUE(std::none_of(many.begin(), many.end(), [](float element) { return std::isnan(element); }))
        << each->flag;
  }
}

TEST(magnitude_sums, are_those_of_adding_anew) {
  // Sums of these are exact in every order.
  list x(1000);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i * 37 % 71) / 4 - 9;
  const auto anew = [](std::span<const float> elements) {
    double sum = 0;
    for (const float each : elements) sum += std::fabs(static_cast<double>(each));
    return sum;
  };
  magnitude_sums sums;
  const std::span<const float> all(x);
  // Running, the same, fewer again, from elsewhere, none, and within what was added before.
  constexpr std::size_t parts[][2] = {{0, 1},    {0, 2},   {0, 500}, {0, 500}, {0, 499}, {0, 1000}, {7, 90},   {7, 0},
                                      {7, 1000}, {8, 999}, {0, 0},   {0, 3},   {3, 3},   {3, 6},    {500, 900}};
  for (const auto [begin, end] : parts) {
    const auto elements = all.subspan(begin, end > begin ? end - begin : 0);
    EXPECT_EQ(sums.of(elements), anew(elements)) << begin << " to " << end;
  }
}

/// The mismatches of a comparison in which each finite element is off by so many times what it may be.
std::size_t mismatches(std::string_view flag, const list& x, double share) {
  const puzzle& task = *find_puzzle(flag);
  const parameters values;
  list expected(plan_of(task, x.size(), values).output);
  task.reference(x, expected, values);
  list output = expected;
  for (std::size_t i = 0; i < output.size(); ++i)
    output[i] += static_cast<float>(share * tolerance_of(task, x, expected, i, values));
  return compare(task, x, output, expected, values).mismatch_count;
}

TEST(large_comparison, allows_each_element_what_its_own_terms_do) {
  for (const std::string_view flag : {"prefix-sum", "exclusive-scan", "warp-sum", "walsh-transform", "block-sum",
                                      "block-prefix-sum", "block-walsh-transform", "average", "lane-groups"}) {
    // They grow. Beside the one that is so small no sum is exact.
    list x(200'003);
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = (static_cast<float>(i * 7919 % 10'007 + i) + 0.3F) / (i % 2 == 0 ? 3.0F : -7.0F);
    x[5] = 1e-9F;
    const std::size_t outputs = plan_of(*find_puzzle(flag), x.size(), {}).output;
    EXPECT_EQ(mismatches(flag, x, 0.9), 0U) << flag;
    const std::size_t without_terms = flag == "exclusive-scan" ? ceil_div(x.size(), 32) : 0;
    EXPECT_EQ(mismatches(flag, x, 1.1), outputs - without_terms) << flag;
  }
}

TEST(large_comparison, allows_running_sums_what_they_have_added_up) {
  list x(200'003);
  find_pattern("thirds").fill(x, *find_puzzle("device-scan"), {});
  const puzzle& scan = *find_puzzle("device-scan");
  list expected(x.size()), near(x.size()), far(x.size());
  scan.reference(x, expected, {});
  double magnitudes = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    magnitudes += std::fabs(static_cast<double>(x[i]));
    near[i] = expected[i] + static_cast<float>(0.9e-5 * magnitudes);
    far[i] = expected[i] + static_cast<float>(1.1e-5 * magnitudes);
  }
  // The first sums have so few digits that they are exact, and have to be equal.
  const std::size_t exact = compare(scan, x, near, expected, {}).mismatch_count;
  EXPECT_LT(exact, 10U);
  EXPECT_EQ(compare(scan, x, far, expected, {}).mismatch_count, x.size());
}

TEST(large_comparison, means_are_exact_where_all_numbers_are_divisible) {
  const puzzle& average = *find_puzzle("average");
  list x(300'007, 6), expected(x.size()), next(x.size());
  average.reference(x, expected, {});
  std::fill(next.begin(), next.end(), std::nextafter(6.0F, 7.0F));
  EXPECT_EQ(compare(average, x, next, expected, {}).mismatch_count, x.size());
  for (const std::size_t place : {std::size_t{0}, x.size() / 2, x.size() - 1}) {
    list other = x;
    other[place] = 5;
    EXPECT_LE(compare(average, other, next, expected, {}).mismatch_count, 3U) << place;
  }
}

TEST(large_comparison, a_sum_that_may_overflow_anywhere_may_be_infinite_there) {
  const puzzle& scan = *find_puzzle("device-scan");
  list x(300'007), expected(x.size());
  constexpr std::size_t first = 100'000;
  for (std::size_t i = first; i < x.size(); ++i) x[i] = i % 2 == 0 ? 3e38F : -3e38F;
  scan.reference(x, expected, {});
  list output = expected;
  for (std::size_t i = first + 1; i < x.size(); ++i) output[i] = infinity;
  EXPECT_EQ(compare(scan, x, output, expected, {}).mismatch_count, 0U);
  // The first one alone does not overflow.
  output[first] = infinity;
  EXPECT_EQ(compare(scan, x, output, expected, {}).mismatch_count, 1U);
}

}  // namespace

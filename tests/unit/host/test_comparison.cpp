// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/comparison.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "puzzle/magnitudes.hpp"

namespace {

using namespace warpz;
using floats = std::vector<float>;

constexpr float positive_infinity = std::numeric_limits<float>::infinity();
constexpr float no_number = std::numeric_limits<float>::quiet_NaN();

/// A thousand times: the tolerance is a hundredth of it.
double thousand_of_x(std::span<const float> x, std::size_t i, const parameters&, magnitude_sums&) {
  return std::fabs(1000.0 * static_cast<double>(x[i]));
}

/// Has so many digits that no sum of it is exact.
const float hundred = std::nextafter(100.0F, 101.0F);

const puzzle exact{};
const puzzle tolerant = [] {
  puzzle created;
  created.magnitudes = thousand_of_x;
  return created;
}();

comparison compared(const puzzle& tested, const floats& output, const floats& expected, unsigned warp_size = 32) {
  return compare(tested, floats(expected.size(), hundred), output, expected, {warp_size, 0});
}

std::optional<std::size_t> first_different(const puzzle& tested, const floats& one, const floats& other,
                                           const floats& expected) {
  return first_difference(tested, floats(expected.size(), hundred), one, other, expected, {32, 0});
}

// The tolerance is 1.
TEST(comparison, two_runs_differ_where_not_both_are_right_and_they_are_far_from_each_other) {
  EXPECT_EQ(first_different(exact, {1, 2, 4}, {1, 2, 5}, {0, 0, 0}), 2U);
  EXPECT_EQ(first_different(exact, {1, 2}, {1, 2}, {0, 0}), std::nullopt);
  EXPECT_EQ(first_different(exact, {0.0F}, {-0.0F}, {0.0F}), std::nullopt);
  EXPECT_EQ(first_different(tolerant, {9.25F}, {10.75F}, {10}), std::nullopt);
  EXPECT_EQ(first_different(tolerant, {5}, {7}, {10}), std::nullopt);
  EXPECT_EQ(first_different(tolerant, {5}, {7.25F}, {10}), 0U);
  EXPECT_EQ(first_different(tolerant, {5}, {no_number}, {10}), 0U);
}

TEST(comparison, a_thread_is_named_by_the_puzzles_blocks) {
  puzzle blocks = exact;
  blocks.block_threads = 96;
  floats output(200, 0);
  output[96 + 70] = 1;
  const mismatch at_64 = compared(blocks, output, floats(200, 0), 64).first.at(0);
  EXPECT_EQ((std::array{at_64.block, at_64.warp, at_64.lane}), (std::array{1U, 1U, 6U}));
  const mismatch at_32 = compared(blocks, output, floats(200, 0), 32).first.at(0);
  EXPECT_EQ((std::array{at_32.block, at_32.warp, at_32.lane}), (std::array{1U, 2U, 6U}));
  EXPECT_TRUE(at_32.placed);
}

TEST(comparison, a_thread_may_have_several_elements) {
  puzzle pairs = exact;
  pairs.elements_per_thread = 2;
  floats output(200, 0);
  output[128 + 2 * 7 + 1] = 1;
  const mismatch at_64 = compared(pairs, output, floats(200, 0), 64).first.at(0);
  EXPECT_EQ((std::array{at_64.block, at_64.warp, at_64.lane}), (std::array{1U, 0U, 7U}));
  const mismatch at_32 = compared(pairs, output, floats(200, 0), 32).first.at(0);
  EXPECT_EQ((std::array{at_32.block, at_32.warp, at_32.lane}), (std::array{2U, 0U, 7U}));
  EXPECT_TRUE(at_32.placed);
}

TEST(comparison, no_thread_is_named_where_one_does_not_write_one_element) {
  puzzle product = exact;
  product.plan_for = [](std::size_t, const parameters&) {
    plan created;
    created.elements_per_thread = 0;
    return created;
  };
  EXPECT_FALSE(compare(product, floats{1, 2, 3}, floats{1}, floats{2}, {}).first.at(0).placed);
}

TEST(comparison, equal_values_match) {
  EXPECT_EQ(compared(exact, {1, -2, positive_infinity}, {1, -2, positive_infinity}).mismatch_count, 0u);
  EXPECT_EQ(compared(exact, {1, -2, positive_infinity, 5}, {1, -2, positive_infinity, 6}).mismatch_count, 1u);
  EXPECT_EQ(compared(exact, {}, {}).mismatch_count, 0u);
}

TEST(comparison, zeros_of_both_signs_match_and_so_do_all_nans) {
  EXPECT_EQ(compared(exact, {0.0F, -0.0F}, {-0.0F, 0.0F}).mismatch_count, 0u);
  EXPECT_EQ(compared(exact, {std::bit_cast<float>(0xffc00001u)}, {no_number}).mismatch_count, 0u);
}

TEST(comparison, without_a_tolerance_the_next_float_differs) {
  EXPECT_EQ(compared(exact, {std::nextafter(1.0F, 2.0F)}, {1}).mismatch_count, 1u);
}

TEST(comparison, a_tolerance_is_of_the_element_and_includes_its_end) {
  EXPECT_EQ(compared(tolerant, {6}, {5}).mismatch_count, 0u);
  EXPECT_EQ(compared(tolerant, {4}, {5}).mismatch_count, 0u);
  EXPECT_EQ(compared(tolerant, {std::nextafter(6.0F, 7.0F)}, {5}).mismatch_count, 1u);
  EXPECT_EQ(compare(tolerant, floats{hundred, 1}, floats{6, 6}, floats{5, 5}, {32, 0}).first.at(0).index, 1u);
  EXPECT_DOUBLE_EQ(tolerance_of(tolerant, floats{2}, floats{5}, 0, {}), 0.02);
}

TEST(comparison, what_is_near_is_told_from_what_is_equal) {
  EXPECT_FALSE(compared(tolerant, {5}, {5}).rests_on_rounding);
  EXPECT_TRUE(compared(tolerant, {5, 6}, {5, 5}).rests_on_rounding);
  EXPECT_FALSE(compared(tolerant, {8}, {5}).rests_on_rounding);
}

TEST(comparison, of_sums_that_do_not_round_the_next_number_differs) {
  const auto wrong = [](float x, float output, float expected) {
    return compare(tolerant, floats{x}, floats{output}, floats{expected}, {}).mismatch_count;
  };
  // 1000 times as many units: less than 2^24 of them, or as many.
  EXPECT_EQ(wrong(16777, 6, 5), 1u);
  EXPECT_EQ(wrong(16779, 6, 5), 0u);
  EXPECT_EQ(wrong(16777 / 16.0F, 6, 5), 1u);
  EXPECT_EQ(wrong(16777, 5, 5), 0u);
}

TEST(comparison, fractions_of_whole_numbers_round_and_prove_nothing) {
  puzzle fractions = tolerant;
  fractions.has_fractions = true;
  const auto judged = [&](float output, float expected) {
    return compare(fractions, floats{16777}, floats{output}, floats{expected}, {});
  };
  EXPECT_EQ(judged(6, 5).mismatch_count, 0u);
  EXPECT_FALSE(judged(6, 5).rests_on_rounding);
  EXPECT_EQ(judged(500, 5).mismatch_count, 1u);
  for (const float each : {0.0F, no_number, -positive_infinity}) {
    EXPECT_EQ(judged(each, positive_infinity).mismatch_count, 1u) << each;
    EXPECT_EQ(judged(each, no_number).mismatch_count, std::isnan(each) ? 0u : 1u) << each;
  }
  // Near to what is expected, with no need to add up magnitudes.
  fractions.magnitudes = [](std::span<const float>, std::size_t, const parameters&, magnitude_sums&) { return 0.0; };
  EXPECT_EQ(judged(100.0005F, 100).mismatch_count, 0u);
  EXPECT_EQ(judged(100.002F, 100).mismatch_count, 1u);
}

TEST(comparison, a_means_numbers_have_to_be_divisible) {
  puzzle mean = tolerant;
  mean.mean_of = 3;
  const auto wrong = [&](float x) {
    return compare(mean, floats{x}, floats{std::nextafter(100.0F, 101.0F)}, floats{100}, {}).mismatch_count;
  };
  EXPECT_EQ(wrong(3), 1u);
  EXPECT_EQ(wrong(300), 1u);
  EXPECT_EQ(wrong(5), 0u);
}

TEST(comparison, the_unit_is_the_greatest_power_of_two_in_all_numbers) {
  EXPECT_EQ(unit_of(floats{12, -20, 0}), 4);
  EXPECT_EQ(unit_of(floats{12, 0.75F, positive_infinity, no_number}), 0.25);
  EXPECT_EQ(unit_of(floats{std::numeric_limits<float>::denorm_min()}), std::ldexp(1.0, -149));
  EXPECT_EQ(unit_of(floats{0, -0.0F}), 0);
}

// Sums of all numbers, in any order.
TEST(comparison, a_sum_that_may_overflow_may_be_what_an_order_gives) {
  puzzle sum = exact;
  sum.plan_for = [](std::size_t, const parameters&) { return plan{}; };
  sum.reference = [](std::span<const float> x, std::span<float> expected, const parameters&) {
    expected[0] = std::accumulate(x.begin(), x.end(), 0.0F);
  };
  sum.magnitudes = [](std::span<const float> x, std::size_t, const parameters&, magnitude_sums& sums) {
    return sums.of(x);
  };
  const auto is_right = [&](const floats& x, float output) {
    floats expected(1);
    sum.reference(x, expected, {});
    return compare(sum, x, floats{output}, expected, {}).mismatch_count == 0;
  };
  const floats cancels{3e38F, 3e38F, -3e38F, -3e38F};
  for (const float each : {positive_infinity, -positive_infinity, no_number, 0.0F, 1e33F}) {
    EXPECT_TRUE(is_right(cancels, each)) << each;
  }
  EXPECT_FALSE(is_right(cancels, 3e38F));
  const floats rises{3e38F, 3e38F};
  EXPECT_TRUE(is_right(rises, positive_infinity));
  for (const float each : {-positive_infinity, no_number, 0.0F, 3e38F}) EXPECT_FALSE(is_right(rises, each)) << each;
  EXPECT_FALSE(is_right({1e38F, 1e38F}, positive_infinity));
  EXPECT_TRUE(is_right({-3e38F, -3e38F, 3e38F}, -3e38F));
  EXPECT_TRUE(is_right({-3e38F, -3e38F, 3e38F}, -positive_infinity));
  EXPECT_FALSE(is_right({positive_infinity, 3e38F, 3e38F}, no_number));
}

TEST(comparison, what_is_not_finite_matches_only_itself) {
  for (const float odd : {positive_infinity, -positive_infinity, no_number})
    for (const float other :
         {0.0F, std::numeric_limits<float>::max(), odd > 0 ? -positive_infinity : positive_infinity}) {
      EXPECT_EQ(compared(tolerant, {odd}, {other}).mismatch_count, 1u) << odd << " " << other;
      EXPECT_EQ(compared(tolerant, {other}, {odd}).mismatch_count, 1u) << odd << " " << other;
    }
}

TEST(comparison, a_mismatch_says_where_and_what) {
  floats output(200, 1), expected(200, 1);
  output[165] = 7;
  const comparison at_32 = compared(exact, output, expected, 32);
  ASSERT_EQ(at_32.mismatch_count, 1u);
  const mismatch& one = at_32.first.at(0);
  EXPECT_EQ(one.index, 165u);
  EXPECT_EQ(one.output, 7.0F);
  EXPECT_EQ(one.expected, 1.0F);
  EXPECT_EQ(one.block, 5u);
  EXPECT_EQ(one.warp, 0u);
  EXPECT_EQ(one.lane, 5u);
  const mismatch other = compared(exact, output, expected, 64).first.at(0);
  EXPECT_EQ(other.block, 2u);
  EXPECT_EQ(other.lane, 37u);
}

TEST(comparison, all_are_counted_and_the_first_five_kept) {
  floats output(10'000, 1), expected(10'000, 1);
  for (const std::size_t i : {9'999u, 17u, 4'095u, 4'096u, 8'192u, 5u, 18u}) output[i] = 0;
  const comparison result = compared(exact, output, expected);
  EXPECT_EQ(result.mismatch_count, 7u);
  std::vector<std::size_t> kept;
  for (const mismatch& one : result.first) kept.push_back(one.index);
  EXPECT_EQ(kept, (std::vector<std::size_t>{5, 17, 18, 4'095, 4'096}));
}

TEST(comparison, lists_of_different_lengths_are_a_mistake_of_ours) {
  EXPECT_THROW(compare(exact, floats{1}, floats{1, 2}, floats{1}, {}), std::logic_error);
  EXPECT_THROW(compare(exact, floats{1, 2}, floats{1}, floats{1}, {}), std::logic_error);
}

}  // namespace

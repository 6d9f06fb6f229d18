// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The references of the puzzles that exercise one warp operation each: on cases worked out by hand, and by what must
// hold for any data.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "reference_support.hpp"

namespace {

using namespace reference_support;

TEST(reference, shuffle_up) {
  EXPECT_EQ(expected("shuffle-up", {4}), (list{4}));
  EXPECT_EQ(expected("shuffle-up", {4, 1, -9.5f}), (list{4, -3, -10.5f}));
  const list x = in_two_warps({1}, {7, 5});
  EXPECT_EQ(slice(expected("shuffle-up", x), 0, 3), (list{1, -1, 0}));
  EXPECT_EQ(slice(expected("shuffle-up", x), 31, 34), (list{0, 7, -2}));
  EXPECT_EQ(expected("shuffle-up", in_two_warps({}, {7}))[32], 7);
  EXPECT_EQ(slice(expected("shuffle-up", slice(in_two_warps(list(32, 3.0f), {7, 5}), 0, 34), 64), 31, 34),
            (list{0, 4, -2}));
}

TEST(reference, shuffle_idx) {
  EXPECT_EQ(expected("shuffle-idx", {4}), (list{4}));
  EXPECT_EQ(expected("shuffle-idx", {4, 5}), (list{4, 5}));
  EXPECT_EQ(expected("shuffle-idx", {1, 2, 3, 4, 5}), (list{1, 3, 5, 2, 4}));
  const list x = in_two_warps({1, -1, 2, -2}, {7, 8, 9});
  EXPECT_EQ(slice(expected("shuffle-idx", x), 14, 19), (list{0, 0, -1, -2, 0}));
  EXPECT_EQ(slice(expected("shuffle-idx", x), 32, 35), (list{7, 9, 8}));
  EXPECT_EQ(slice(expected("shuffle-idx", x, 64), 15, 20), (list{0, 7, 9, -1, -2}));
}

TEST(reference, rotate) {
  EXPECT_EQ(expected("rotate", {4}), (list{4}));
  EXPECT_EQ(expected("rotate", {4, -1, 7}), (list{-1, 7, 4}));
  const list x = in_two_warps({6}, {1, 2});
  EXPECT_EQ(slice(expected("rotate", x), 30, 34), (list{0, 6, 2, 1}));
  EXPECT_EQ(slice(expected("rotate", x, 64), 30, 34), (list{0, 1, 2, 6}));
}

TEST(reference, reverse) {
  EXPECT_EQ(expected("reverse", {4}), (list{4}));
  EXPECT_EQ(expected("reverse", {4, -1, 7}), (list{7, -1, 4}));
  const list x = in_two_warps({6}, {1, 2});
  EXPECT_EQ(slice(expected("reverse", x), 30, 34), (list{0, 6, 2, 1}));
  EXPECT_EQ(slice(expected("reverse", x, 64), 0, 3), (list{2, 1, 0}));
  EXPECT_EQ(slice(expected("reverse", x, 64), 32, 34), (list{0, 6}));
}

TEST(reference, warp_sum) {
  EXPECT_EQ(expected("warp-sum", {4}), (list{4}));
  EXPECT_EQ(expected("warp-sum", {4, -1, 7}), (list{10, 10, 10}));
  const list x = in_two_warps({6}, {1, 2});
  EXPECT_EQ(slice(expected("warp-sum", x), 30, 34), (list{6, 6, 3, 3}));
  EXPECT_EQ(slice(expected("warp-sum", x, 64), 30, 34), (list{9, 9, 9, 9}));
}

TEST(reference, warp_max) {
  EXPECT_EQ(expected("warp-max", {-4}), (list{0}));
  EXPECT_EQ(expected("warp-max", {-4, -1, -7}), (list{-3, 0, -6}));
  const list part = expected("warp-max", {not_a_number, 3, -infinity, 5});
  EXPECT_TRUE(std::isnan(part[0]));
  EXPECT_EQ(slice(part, 1, 4), (list{-2, -infinity, 0}));
  EXPECT_TRUE(std::isnan(expected("warp-max", {infinity, infinity})[0]));
  const list x = in_two_warps({6}, {1, 2});
  EXPECT_EQ(slice(expected("warp-max", x), 30, 34), (list{-6, -6, -1, 0}));
  EXPECT_EQ(slice(expected("warp-max", x, 64), 30, 34), (list{-6, -6, -5, -4}));
}

TEST(reference, warp_min) {
  EXPECT_EQ(expected("warp-min", {4}), (list{0}));
  EXPECT_EQ(expected("warp-min", {8, 4, 7, 4, 9}), (list(5, 1.0f)));
  EXPECT_EQ(expected("warp-min", {not_a_number, 3, not_a_number, -infinity}), (list(4, 3.0f)));
  EXPECT_EQ(expected("warp-min", {1, 0.0f, -0.0f}), (list(3, 1.0f)));
  EXPECT_EQ(expected("warp-min", {not_a_number, not_a_number}), (list{-1, -1}));
  list x = in_two_warps({6}, {1, -2, -2});
  EXPECT_EQ(slice(expected("warp-min", x), 31, 35), (list{1, 1, 1, 1}));
  EXPECT_EQ(slice(expected("warp-min", x, 64), 31, 35), (list{33, 33, 33, 33}));
}

TEST(reference, exclusive_scan) {
  EXPECT_EQ(expected("exclusive-scan", {4}), (list{0}));
  EXPECT_EQ(expected("exclusive-scan", {4, -1, 7}), (list{0, 4, 3}));
  EXPECT_EQ(expected("exclusive-scan", {1, infinity, 2}), (list{0, 1, infinity}));
  const list x = in_two_warps({6}, {1, 2});
  EXPECT_EQ(slice(expected("exclusive-scan", x), 31, 34), (list{6, 0, 1}));
  EXPECT_EQ(slice(expected("exclusive-scan", x, 64), 31, 34), (list{6, 6, 7}));
}

TEST(reference, vote) {
  EXPECT_EQ(expected("vote", {4}), (list{1}));
  EXPECT_EQ(expected("vote", {5, 6, -8, 7, not_a_number}), (list{3, 2, 3, 2, 3}));
  EXPECT_EQ(expected("vote", {-2, -1, -3}, 32, -2), (list{2, 1, 2}));
  const list x = in_two_warps({6}, {7, 8});
  EXPECT_EQ(slice(expected("vote", x), 0, 2), (list{1, 31}));
  EXPECT_EQ(slice(expected("vote", x), 31, 34), (list{31, 2, 2}));
  EXPECT_EQ(slice(expected("vote", x, 64), 31, 34), (list{31, 3, 3}));
}

TEST(reference, match) {
  EXPECT_EQ(expected("match", {4}), (list{1}));
  EXPECT_EQ(expected("match", {5, 7, 5, 5, 7}), (list{3, 2, 3, 3, 2}));
  EXPECT_EQ(expected("match", {0.0f, -0.0f, 0.0f, not_a_number, not_a_number}), (list{2, 1, 2, 2, 2}));
  const list x = in_two_warps({6}, {0, 6});
  EXPECT_EQ(slice(expected("match", x), 0, 2), (list{1, 31}));
  EXPECT_EQ(slice(expected("match", x), 32, 34), (list{1, 1}));
  EXPECT_EQ(slice(expected("match", x, 64), 32, 34), (list{32, 2}));
}

TEST(reference, stream_compaction) {
  EXPECT_EQ(expected("stream-compaction", {4}), (list{0}));
  EXPECT_EQ(expected("stream-compaction", {4, 6, 5, not_a_number, 9, 7}), (list{6, 9, 7, 0, 0, 0}));
  EXPECT_EQ(expected("stream-compaction", {-2, -1, -3}, 32, -2), (list{-1, 0, 0}));
  const list x = in_two_warps({1, 6}, {1, 8});
  EXPECT_EQ(slice(expected("stream-compaction", x), 0, 2), (list{6, 0}));
  EXPECT_EQ(slice(expected("stream-compaction", x), 31, 34), (list{0, 8, 0}));
  EXPECT_EQ(slice(expected("stream-compaction", x, 64), 0, 3), (list{6, 8, 0}));
}

TEST(reference, bitonic_sort) {
  EXPECT_EQ(expected("bitonic-sort", {4}), (list{4}));
  EXPECT_EQ(expected("bitonic-sort", {4, -1, infinity, 4, -infinity}), (list{-infinity, -1, 4, 4, infinity}));
  const list part = expected("bitonic-sort", {not_a_number, infinity, not_a_number, -1});
  EXPECT_EQ(slice(part, 0, 2), (list{-1, infinity}));
  EXPECT_TRUE(std::isnan(part[2]) && std::isnan(part[3]));
  const list x = in_two_warps({6}, {2, 1});
  EXPECT_EQ(slice(expected("bitonic-sort", x), 30, 34), (list{0, 6, 1, 2}));
  EXPECT_EQ(slice(expected("bitonic-sort", x, 64), 30, 34), (list{0, 1, 2, 6}));
}

TEST(property, deltas_add_up_to_the_elements) {
  on_random_data("shuffle-up", [](const list& x, const list& out) {
    float element = 0;
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(element += out[i], x[i]);
  });
}

TEST(property, an_element_goes_to_half_its_place) {
  on_random_data("shuffle-idx", [](const list& x, const list& out) {
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(out[i / 2 + (i % 2 == 0 ? 0 : (x.size() + 1) / 2)], x[i]);
  });
}

TEST(property, rotating_as_often_as_there_are_elements_changes_nothing) {
  on_random_data("rotate", [](const list& x, const list& out) {
    list turned = out;
    for (std::size_t i = 1; i < x.size(); ++i) {
      EXPECT_EQ(turned.front(), x[i]);
      turned = expected("rotate", turned, 64);
    }
    EXPECT_EQ(turned, x);
  });
}

TEST(property, reversing_twice_changes_nothing) {
  on_random_data("reverse", [](const list& x, const list& out) {
    EXPECT_EQ(expected("reverse", out, 64), x);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(out[i], x[x.size() - 1 - i]);
  });
}

TEST(property, the_sum_is_the_same_from_the_other_end) {
  on_random_data("warp-sum", [](const list& x, const list& out) {
    EXPECT_EQ(out, list(x.size(), std::accumulate(x.rbegin(), x.rend(), 0.0f)));
  });
}

TEST(property, nothing_is_above_the_maximum_and_something_is_on_it) {
  on_random_data("warp-max", [](const list& x, const list& out) {
    EXPECT_EQ(*std::max_element(out.begin(), out.end()), 0);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(x[i] - out[i], x[0] - out[0]);
  });
}

TEST(property, no_element_is_less_and_none_before_is_as_small) {
  on_random_data("warp-min", [](const list& x, const list& out) {
    EXPECT_EQ(out, list(x.size(), out[0]));
    const auto lane = static_cast<std::size_t>(out[0]);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_TRUE(i < lane ? x[i] > x[lane] : x[i] >= x[lane]) << i;
  });
}

TEST(property, an_exclusive_scan_lacks_the_last_element_of_the_inclusive_one) {
  on_random_data("exclusive-scan", [](const list& x, const list& out) {
    const list inclusive = expected("prefix-sum", x, 64);
    EXPECT_EQ(out[0], 0);
    for (std::size_t i = 1; i < x.size(); ++i) EXPECT_EQ(out[i], inclusive[i - 1]);
  });
}

TEST(property, a_vote_has_two_results_that_add_up_to_everybody) {
  on_random_data("vote", [](const list& x, const list& out) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto same_side = [&](float element) { return (element > 5) == (x[i] > 5); };
      EXPECT_EQ(out[i], std::count_if(x.begin(), x.end(), same_side));
    }
  });
}

TEST(property, equal_elements_count_each_other) {
  on_random_data("match", [](const list& x, const list& out) {
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(out[i], std::count(x.begin(), x.end(), x[i]));
  });
}

TEST(property, compaction_is_what_a_partition_has_on_its_other_side) {
  on_random_data("stream-compaction", [](list x, const list& out) {
    const auto dropped = std::stable_partition(x.begin(), x.end(), [](float element) { return element > 5; });
    std::fill(dropped, x.end(), 0.0f);
    EXPECT_EQ(out, x);
  });
}

TEST(property, a_sorted_warp_rises_and_has_the_same_elements) {
  on_random_data("bitonic-sort", [](const list& x, const list& out) {
    EXPECT_TRUE(std::is_sorted(out.begin(), out.end()));
    EXPECT_TRUE(std::is_permutation(x.begin(), x.end(), out.begin()));
  });
}

/// Each number within a millionth: the transforms' factors are rounded.
void expect_near(const list& found, const list& wanted) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], wanted[i], 1e-6) << i;
}

TEST(reference, fft) {
  // An impulse is in all frequencies; in lane n, each next one is n/W of a circle further, clockwise.
  for (const unsigned warp_size : {32U, 64U}) {
    list x(2 * warp_size);
    x[0] = 2;
    x[1] = -1;
    const list all = expected("fft", x, warp_size);
    for (std::size_t k = 0; k < warp_size; ++k) EXPECT_EQ(slice(all, 2 * k, 2 * k + 2), (list{2, -1}));
    x = list(2 * warp_size);
    x[2 * (warp_size / 8)] = 1;
    const float half_root = std::sqrt(0.5F);
    expect_near(slice(expected("fft", x, warp_size), 0, 10),
                {1, 0, half_root, -half_root, 0, -1, -half_root, -half_root, -1, 0});
  }
  // What is missing counts as 0, and the next warp has a transform of its own.
  EXPECT_EQ(expected("fft", {3}), (list{3}));
  expect_near(expected("fft", {3, 4, 5}), {8, 4, 3 + 5 * 0.9807853F});
  list x(69);
  x[0] = 1, x[1] = 2, x[64] = 3, x[65] = 4;
  EXPECT_EQ(slice(expected("fft", x), 60, 69), (list{1, 2, 1, 2, 3, 4, 3, 4, 3}));
  EXPECT_EQ(slice(expected("fft", x, 64), 64, 69), (list{4, 6, -2, -2, 4}));
  for (const float each : expected("fft", {1, infinity, 2})) EXPECT_TRUE(std::isnan(each));
}

}  // namespace

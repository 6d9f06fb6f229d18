// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The references and plans of the puzzles about synchronization: on cases worked out by hand, and by what must hold for
// any data.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "reference_support.hpp"

namespace {

using namespace reference_support;
using warpz::find_puzzle;

warpz::plan plan_for(std::string_view flag, std::size_t size, unsigned warp_size = 32) {
  return warpz::plan_of(*find_puzzle(flag), size, {warp_size, 0});
}

/// What belongs in the output, whose size and whose padded input are the plan's.
list planned(std::string_view flag, list x, unsigned warp_size = 32) {
  const warpz::plan plan = plan_for(flag, x.size(), warp_size);
  x.resize(plan.inputs.at(0), 0.0f);
  list result(plan.output, -12345.0f);
  find_puzzle(flag)->reference(x, result, {warp_size, 0});
  return result;
}

list filled(std::size_t length, float value, list behind = {}) {
  list created(length, value);
  created.insert(created.end(), behind.begin(), behind.end());
  return created;
}

TEST(reference, race_and_atomic) {
  EXPECT_EQ(planned("race-and-atomic", {4}), (list{0, 0}));
  EXPECT_EQ(planned("race-and-atomic", {-4}), (list{1, 1}));
  EXPECT_EQ(planned("race-and-atomic", {3, -1, -4, 1, -5, 9}), (list{3, 1}));
  EXPECT_EQ(planned("race-and-atomic", {-0.0f, not_a_number, -infinity}), (list{1, 1}));
  EXPECT_EQ(planned("race-and-atomic", filled(96, -1, {0, -2})), (list{96, 1, 1, 1}));
  EXPECT_EQ(planned("race-and-atomic", filled(193, 1)), (list{0, 0, 0, 0, 0, 0}));
}

TEST(reference, syncwarp) {
  EXPECT_EQ(expected("syncwarp", {4}), (list{8}));
  EXPECT_EQ(expected("syncwarp", {3, -5, 7, -1, -9, 2}), (list{-2, -18, 1, 14, 5, 6}));
  const list x = in_two_warps({6, 5}, {1, 2});
  EXPECT_EQ(slice(expected("syncwarp", x), 30, 34), (list{-5, 12, -2, 2}));
  EXPECT_EQ(slice(expected("syncwarp", x, 64), 0, 3), (list{-2, 2, 0}));
  EXPECT_EQ(slice(expected("syncwarp", x, 64), 32, 34), (list{-5, 12}));
}

TEST(reference, barrier_stencil) {
  EXPECT_EQ(expected("barrier-stencil", {4}), (list{4}));
  EXPECT_EQ(expected("barrier-stencil", {1, 2}), (list{3, 3}));
  EXPECT_EQ(expected("barrier-stencil", {1, 2, 4, 8, 16, 32}), (list{7, 15, 31, 62, 60, 56}));
  EXPECT_EQ(slice(expected("barrier-stencil", filled(96, 1, {7, 5})), 93, 98), (list{5, 11, 15, 14, 13}));
  // 1e8 swallows a 3 that comes behind it, and not one that comes with its like before.
  EXPECT_EQ(expected("barrier-stencil", {1e8f, 3, -1e8f})[0], 0);
  EXPECT_EQ(expected("barrier-stencil", {1e8f, -1e8f, 3})[0], 3);
}

TEST(reference, ticket_semaphore) {
  EXPECT_EQ(planned("ticket-semaphore", {-4}), (list{-4}));
  EXPECT_EQ(planned("ticket-semaphore", {-9, -4, -6, -7, -5, -2}), (list{-9, -4, -4, -4, -4, -2}));
  EXPECT_EQ(slice(planned("ticket-semaphore", in_two_warps({9}, {1, 10, 2})), 31, 35), (list{9, 9, 10, 10}));
  const list odd = planned("ticket-semaphore", {not_a_number, -infinity, not_a_number, 3});
  EXPECT_TRUE(std::isnan(odd[0]));
  EXPECT_EQ(slice(odd, 1, 4), (list{-infinity, -infinity, 3}));
}

TEST(reference, named_barrier) {
  EXPECT_EQ(planned("named-barrier", {4}), (list{0}));
  EXPECT_EQ(planned("named-barrier", {7, -1, 4, 9, 4}), (list{3, 0, 1, 4, 1}));
  EXPECT_EQ(planned("named-barrier", {not_a_number, 2, infinity}), (list{0, 0, 1}));
  EXPECT_EQ(slice(planned("named-barrier", filled(64, -1, {5, 4})), 62, 66), (list{0, 0, 1, 0}));
}

TEST(reference, mbarrier_pipeline) {
  EXPECT_EQ(planned("mbarrier-pipeline", {4}), (list{4}));
  EXPECT_EQ(planned("mbarrier-pipeline", {4, -1, 7}), (list{4, -1, 7}));
  const list x = planned("mbarrier-pipeline", filled(62, 1, {5, 9, 3, 2}));
  EXPECT_EQ(slice(x, 0, 3), (list{10, 6, 2}));
  EXPECT_EQ(slice(x, 62, 66), (list{6, 10, 3, 2}));
}

TEST(reference, async_copy) {
  EXPECT_EQ(planned("async-copy", {4}), (list{4}));
  EXPECT_EQ(planned("async-copy", {4, -1, 7}), (list{7, -1, 4}));
  const list x = planned("async-copy", filled(62, 1, {5, 9, 3, 2}));
  EXPECT_EQ(slice(x, 0, 3), (list{9, 5, 1}));
  EXPECT_EQ(slice(x, 63, 66), (list{1, 2, 3}));
}

TEST(reference, threadfence) {
  EXPECT_EQ(planned("threadfence", {4}), (list{4}));
  EXPECT_EQ(planned("threadfence", {3, -1, 4, 1, 5, -9, 2, 6}), (list{11}));
  EXPECT_EQ(planned("threadfence", filled(1000, 0.5f)), (list{500}));
}

TEST(reference, schedule_barrier) {
  list x = planned("schedule-barrier", {4});
  EXPECT_EQ(x.size(), 64U);
  EXPECT_EQ(x[0], 4);
  EXPECT_EQ(x[63], -4);
  EXPECT_EQ(std::count(x.begin(), x.end(), 0.0f), 62);
  // Columns 0 and 63 of four rows, and the next block's first.
  list rows(256, 0.0f);
  for (const std::size_t row : {0, 1, 2, 3}) rows[64 * row] = rows[64 * row + 63] = static_cast<float>(row + 1);
  rows[63] = 0.5f;
  rows[255] = 1;
  rows.push_back(7);
  x = planned("schedule-barrier", rows);
  EXPECT_EQ(x.size(), 128U);
  EXPECT_EQ(x[0], 3.5f);  // 1 + 2 + 3 + 4 less 0.5 + 2 + 3 + 1
  EXPECT_EQ(x[63], -3.5f);
  EXPECT_EQ(x[64], 7);
}

TEST(reference, waitcnt) {
  EXPECT_EQ(expected("waitcnt", {4}), (list{0}));
  EXPECT_EQ(expected("waitcnt", {4, 1}), (list{-3, 3}));
  EXPECT_EQ(expected("waitcnt", {3, -1, 4, 1, 5}), (list{1, 2, 1, 2, -6}));
  EXPECT_EQ(slice(expected("waitcnt", filled(96, 1, {2, 9})), 95, 98), (list{0, 7, -7}));
}

TEST(reference, adaptive) {
  EXPECT_EQ(planned("adaptive", {4}), (list{1}));
  EXPECT_EQ(planned("adaptive", {3, -5, 7, -1, 0, 2}), (list{4, 4, 4, 4, 4, 4}));
  EXPECT_EQ(planned("adaptive", {-0.0f, not_a_number, -1}), (list{1, 1, 1}));
  EXPECT_EQ(slice(planned("adaptive", in_two_warps({-6}, {-1, 2})), 31, 33), (list{31, 1}));
  EXPECT_EQ(slice(planned("adaptive", in_two_warps({-6}, {-1, 2}), 64), 31, 33), (list{32, 32}));
}

TEST(reference, group_semaphore) {
  EXPECT_EQ(planned("group-semaphore", {4}), (list{0}));
  EXPECT_EQ(planned("group-semaphore", {-4, -4}), (list{0, 1}));
  EXPECT_EQ(planned("group-semaphore", {3, -5, 7, -1, 9, -2, 4, 6, -8}), (list{0, 0, 1, 1, 2, 2, 3, 4, 3}));
  EXPECT_EQ(planned("group-semaphore", {-0.0f, not_a_number, -1, 0}), (list{0, 1, 0, 2}));
}

TEST(reference, lane_groups) {
  EXPECT_EQ(planned("lane-groups", {4}), (list{4}));
  EXPECT_EQ(planned("lane-groups", {4, 5}), (list{9}));
  EXPECT_EQ(planned("lane-groups", {-6, -8, -7}), (list{-7}));
  EXPECT_EQ(planned("lane-groups", {7, 9, 8, 8, 2, 7, 8, 9, 6, 8, 7}), (list{47, 7}));
  EXPECT_TRUE(std::isnan(planned("lane-groups", {1, infinity, 2})[0]));
}

// What holds for any data.

constexpr std::size_t sizes[] = {1, 2, 63, 64, 65, 96, 97, 256, 257, 1000};

TEST(property, an_atomic_count_is_never_less_than_a_raced_one) {
  for (const std::size_t size : sizes) {
    const list x = random_numbers(size, size), out = planned("race-and-atomic", x);
    float all = 0;
    for (std::size_t block = 0; block < out.size(); block += 2) {
      all += out[block];
      EXPECT_EQ(out[block + 1], std::min(out[block], 1.0f));
    }
    EXPECT_EQ(all, std::count_if(x.begin(), x.end(), [](float element) { return element < 0; }));
  }
}

TEST(property, stencils_count_each_element_as_often_as_it_has_neighbors) {
  for (const std::size_t size : sizes) {
    const list x = random_numbers(size, size), out = expected("barrier-stencil", x);
    float sum = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t left = std::min<std::size_t>(i, 2), right = std::min<std::size_t>(size - 1 - i, 2);
      sum += x[i] * static_cast<float>(left + 1 + right);
    }
    EXPECT_EQ(std::accumulate(out.begin(), out.end(), 0.0f), sum);
  }
}

TEST(property, records_rise_and_are_elements) {
  for (const std::size_t size : sizes) {
    const list x = random_numbers(size, size), out = planned("ticket-semaphore", x);
    EXPECT_TRUE(std::is_sorted(out.begin(), out.end()));
    EXPECT_EQ(out.back(), *std::max_element(x.begin(), x.end()));
    for (std::size_t i = 0; i < size; ++i) EXPECT_GE(out[i], x[i]);
  }
}

TEST(property, ranks_sort_a_tile) {
  for (const std::size_t size : sizes) {
    const list x = random_numbers(size, size), out = planned("named-barrier", x);
    for (std::size_t first = 0; first < size; first += 64) {
      const std::size_t end = std::min<std::size_t>(first + 64, size);
      list sorted = slice(x, first, end);
      std::sort(sorted.begin(), sorted.end());
      for (std::size_t i = first; i < end; ++i) EXPECT_EQ(sorted.at(static_cast<std::size_t>(out[i])), x[i]);
    }
  }
}

TEST(property, what_is_turned_twice_is_as_before) {
  for (const std::size_t size : sizes) {
    const list x = random_numbers(size, size);
    EXPECT_EQ(planned("async-copy", planned("async-copy", x)), x);
  }
}

TEST(property, mirrored_sums_are_mirrored_themselves) {
  for (const std::size_t tiles : {1, 2, 5, 6, 11}) {
    const list out = planned("mbarrier-pipeline", random_numbers(64 * tiles, tiles));
    for (std::size_t i = 0; i < out.size(); ++i) EXPECT_EQ(out[i], out[i / 64 * 64 + 63 - i % 64]);
  }
}

TEST(property, a_column_and_its_mirror_image_differ_in_sign) {
  for (const std::size_t size : sizes) {
    const list out = planned("schedule-barrier", random_numbers(size, size));
    for (std::size_t i = 0; i < out.size(); ++i) EXPECT_EQ(out[i], -out[i / 64 * 64 + 63 - i % 64]);
  }
}

TEST(property, around_a_ring_differences_add_up_to_nothing) {
  for (const std::size_t size : sizes) {
    const list out = expected("waitcnt", random_numbers(size, size));
    EXPECT_EQ(std::accumulate(out.begin(), out.end(), 0.0f), 0);
  }
}

TEST(tolerance, of_the_sum_by_the_last_block) {
  const warpz::puzzle& sum = *find_puzzle("threadfence");
  const list x = filled(97, -1, {103});
  EXPECT_DOUBLE_EQ(tolerance_of(sum, x, planned("threadfence", x), 0, {32, 0}), 2e-3);
}

TEST(tolerance, of_a_mark) {
  const warpz::puzzle& mark = *find_puzzle("lane-groups");
  const list x = filled(8, -1, {-100, 50});
  EXPECT_DOUBLE_EQ(tolerance_of(mark, x, planned("lane-groups", x), 0, {32, 0}), 8e-5);
  EXPECT_DOUBLE_EQ(tolerance_of(mark, x, planned("lane-groups", x), 1, {32, 0}), 1.5e-3);
}

// Who works on what.

TEST(plan, has_as_many_blocks_as_it_takes) {
  struct row {
    std::string_view flag;
    std::size_t size;
    unsigned blocks, threads;
    std::size_t input, output, state;
  };
  for (const row& each : {
           row{"race-and-atomic", 96, 1, 96, 96, 2, 0},
           row{"race-and-atomic", 97, 2, 96, 97, 4, 0},
           row{"ticket-semaphore", 33, 2, 32, 33, 33, 3},
           row{"named-barrier", 256, 1, 128, 256, 256, 0},
           row{"named-barrier", 257, 2, 128, 257, 257, 0},
           row{"mbarrier-pipeline", 1, 1, 64, 64, 1, 0},
           row{"mbarrier-pipeline", 320, 1, 64, 320, 320, 0},
           row{"mbarrier-pipeline", 321, 2, 64, 384, 321, 0},
           row{"async-copy", 128, 1, 64, 128, 128, 0},
           row{"async-copy", 129, 2, 64, 129, 129, 0},
           row{"threadfence", 96, 1, 96, 96, 1, 2},
           row{"threadfence", 97, 2, 96, 97, 1, 3},
           row{"schedule-barrier", 256, 1, 64, 256, 64, 0},
           row{"schedule-barrier", 257, 2, 64, 257, 128, 0},
           row{"adaptive", 33, 2, 32, 33, 33, 1},
           row{"group-semaphore", 33, 2, 64, 33, 33, 5},
           row{"group-semaphore", 5000, 16, 64, 5000, 5000, 5},
           row{"lane-groups", 33, 2, 32, 33, 5, 0},
       }) {
    const warpz::plan plan = plan_for(each.flag, each.size);
    SCOPED_TRACE(std::string(each.flag) + " " + std::to_string(each.size));
    EXPECT_EQ(plan.grid, (std::array<std::uint32_t, 2>{each.blocks, 1}));
    EXPECT_EQ(plan.block, (std::array<std::uint32_t, 2>{each.threads, 1}));
    EXPECT_EQ(plan.inputs, (std::vector<std::size_t>{each.input}));
    EXPECT_EQ(plan.counts, (std::vector<std::int32_t>{static_cast<std::int32_t>(each.size)}));
    EXPECT_EQ(plan.output, each.output);
    EXPECT_EQ(plan.state, each.state);
  }
  // Blocks that are a warp follow its size.
  for (const std::string_view flag : {"ticket-semaphore", "adaptive"}) {
    EXPECT_EQ(plan_for(flag, 65, 64).grid[0], 2U);
    EXPECT_EQ(plan_for(flag, 65, 64).block[0], 64U);
  }
}

TEST(plan, tells_whether_a_thread_has_an_element_of_its_own) {
  for (const std::string_view flag : {"race-and-atomic", "ticket-semaphore", "named-barrier", "mbarrier-pipeline",
                                      "async-copy", "threadfence", "group-semaphore", "lane-groups"})
    EXPECT_EQ(plan_for(flag, 200).elements_per_thread, 0U) << flag;
  for (const std::string_view flag : {"schedule-barrier", "adaptive", "waitcnt", "syncwarp"})
    EXPECT_EQ(plan_for(flag, 200).elements_per_thread, 1U) << flag;
}

TEST(path, is_what_the_kernel_noted) {
  const warpz::puzzle& adaptive = *find_puzzle("adaptive");
  const std::uint32_t words[] = {0, 1, 2, 3};
  EXPECT_EQ(adaptive.path({&words[0], 1}), "none");
  EXPECT_EQ(adaptive.path({&words[1], 1}), "portable");
  EXPECT_EQ(adaptive.path({&words[2], 1}), "amd");
  EXPECT_EQ(adaptive.path({&words[3], 1}), "nvidia");
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The machine without HIP's names: who runs, who meets whom, and what a lane and a launch have.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "machine_kernels.hpp"
#include "simt/machine/stacks.hpp"

namespace test_machine {

using namespace machine_kernels;

class machine : public testing::TestWithParam<unsigned> {
 protected:
  const unsigned W = GetParam();
  const lane_mask all = W == 64 ? ~lane_mask{0} : (lane_mask{1} << W) - 1;
};

INSTANTIATE_TEST_SUITE_P(both_warp_sizes, machine, testing::Values(32U, 64U));

TEST_P(machine, runs_every_thread_of_every_block_once_and_numbers_lanes_over_x_y_z) {
  const index3 grid{3, 4, 5}, block{5, 3, 7};
  const unsigned threads = 5 * 3 * 7, blocks = 3 * 4 * 5;
  std::vector<unsigned> runs(threads * blocks), lane_ids(threads * blocks);
  run(W, grid, block, [&] {
    const unsigned at = linear_block() * threads + linear_thread();
    ++runs[at];
    lane_ids[at] = this_lane->lane_id;
  });
  for (unsigned i = 0; i < runs.size(); ++i) {
    ASSERT_EQ(runs[i], 1U) << i;
    ASSERT_EQ(lane_ids[i], i % threads % W) << i;
  }
}

TEST_P(machine, gives_each_lane_the_value_another_lane_brought) {
  std::vector<std::uint64_t> got(4 * W);
  run(W, {2, 1, 1}, {2 * W, 1, 1}, [&] {
    const unsigned lane = this_lane->lane_id;
    const unsigned at = linear_block() * 2 * W + linear_thread();
    got[at] = simt::collect(gather, ~lane_mask{0}, 1000 + at, (lane + 5) % W, HERE);
  });
  for (unsigned i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], 1000 + i / W * W + (i % W + 5) % W) << i;
}

TEST_P(machine, waits_in_a_partial_warp_only_for_lanes_that_exist) {
  for (const unsigned threads : {1U, W - 1, W + 1, W + W / 2}) {
    std::vector<std::uint64_t> sums(threads);
    run(W, {1, 1, 1}, {threads, 1, 1},
        [&] { sums[linear_thread()] = simt::collect(sum_of_group, ~lane_mask{0}, 1, 0, HERE); });
    for (unsigned i = 0; i < threads; ++i) {
      const unsigned first = i / W * W;
      ASSERT_EQ(sums[i], std::min(W, threads - first)) << threads << " threads, thread " << i;
    }
  }
}

TEST_P(machine, lets_two_halves_meet_in_different_branches) {
  const lane_mask low = all >> (W / 2), high = all & ~low;
  std::vector<std::uint64_t> sums(W);
  run(W, {1, 1, 1}, {W, 1, 1}, [&] {
    const unsigned lane = this_lane->lane_id;
    if (lane < W / 2) {
      for (int i = 0; i < 3; ++i) sums[lane] = simt::collect(sum_of_group, low, lane, 0, HERE);
    } else {
      sums[lane] = simt::collect(sum_of_group, high, 1000, 0, HERE);
    }
  });
  for (unsigned i = 0; i < W; ++i) ASSERT_EQ(sums[i], i < W / 2 ? W / 2 * (W / 2 - 1) / 2 : W / 2 * 1000) << i;
}

TEST_P(machine, one_source_line_with_two_masks_is_two_meetings) {
  std::vector<std::uint64_t> sums(W);
  run(W, {1, 1, 1}, {W, 1, 1}, [&] {
    const unsigned lane = this_lane->lane_id;
    const lane_mask even = 0x5555555555555555;
    sums[lane] = simt::collect(sum_of_group, (lane & 1) != 0 ? ~even : even, lane, 0, HERE);
  });
  for (unsigned i = 0; i < W; ++i) ASSERT_EQ(sums[i], (i & 1) != 0 ? W * W / 4 : W / 2 * (W / 2 - 1)) << i;
}

TEST_P(machine, finds_the_lanes_that_are_active_together) {
  std::vector<std::uint64_t> seen(W);
  run(W, {1, 1, 1}, {W, 1, 1}, [&] {
    const unsigned lane = this_lane->lane_id;
    if (lane % 3 == 0) {
      seen[lane] = simt::collect_active(members, 0, 0, HERE);
    } else if (lane % 3 == 1) {
      seen[lane] = simt::collect_active(members, 0, 0, HERE);
    }
  });
  std::vector<lane_mask> expected(3);
  for (unsigned i = 0; i < W; ++i) expected[i % 3] |= lane_mask{1} << i;
  expected[2] = 0;
  for (unsigned i = 0; i < W; ++i) ASSERT_EQ(seen[i], expected[i % 3]) << i;
}

TEST_P(machine, asking_who_is_active_does_not_wait_for_a_lane_that_spins) {
  // The others answer; only then does lane 0 get what it spins for.
  std::atomic<bool> answered{false};
  std::uint64_t seen = 0;
  run(W, {1, 1, 1}, {W, 1, 1}, [&] {
    if (this_lane->lane_id == 0) {
      while (!answered) simt::yield(HERE);
    } else {
      const std::uint64_t active = simt::collect_active(members, 0, 0, HERE);
      if (this_lane->lane_id == 1) {
        seen = active;
        answered = true;
      }
    }
  });
  EXPECT_EQ(seen, all & ~lane_mask{1});
}

TEST_P(machine, barrier_lets_nobody_pass_before_all_have_arrived) {
  const unsigned threads = 3 * W + 7;
  constexpr int rounds = 20;
  std::vector<int> count(rounds);
  std::vector<int> early(rounds);
  run(W, {1, 1, 1}, {threads, 1, 1}, [&] {
    for (int round = 0; round < rounds; ++round) {
      ++count[round];
      simt::block_barrier(simt::combine::nothing, false, HERE);
      if (count[round] != static_cast<int>(threads)) ++early[round];
    }
  });
  for (int round = 0; round < rounds; ++round) EXPECT_EQ(early[round], 0) << round;
}

TEST_P(machine, barrier_combines_the_predicates_of_all_threads) {
  const unsigned threads = 2 * W + 3;
  for (const unsigned holding : {0U, 1U, threads - 1, threads}) {
    std::vector<int> counts(threads), alls(threads), anys(threads);
    run(W, {1, 1, 1}, {threads, 1, 1}, [&] {
      const unsigned me = linear_thread();
      const bool holds = me < holding;
      counts[me] = simt::block_barrier(simt::combine::count, holds, HERE);
      alls[me] = simt::block_barrier(simt::combine::all, holds, HERE);
      anys[me] = simt::block_barrier(simt::combine::any, holds, HERE);
    });
    for (unsigned i = 0; i < threads; ++i) {
      ASSERT_EQ(counts[i], static_cast<int>(holding));
      ASSERT_EQ(alls[i], holding == threads ? 1 : 0);
      ASSERT_EQ(anys[i], holding != 0 ? 1 : 0);
    }
  }
}

TEST_P(machine, a_whole_warp_may_return_before_a_barrier_of_the_others) {
  std::atomic<unsigned> passed{0};
  run(W, {1, 1, 1}, {3 * W, 1, 1}, [&] {
    if (linear_thread() / W == 1) return;
    simt::block_barrier(simt::combine::nothing, false, HERE);
    ++passed;
  });
  EXPECT_EQ(passed, 2 * W);
}

TEST_P(machine, takes_another_shape_at_every_launch) {
  for (const index3 block :
       {index3{1, 1, 1}, index3{1024, 1, 1}, index3{W, 1, 1}, index3{3, 5, 7}, index3{2, 2, 256}}) {
    const unsigned threads = block.x * block.y * block.z;
    for (const unsigned blocks : {1U, 9U}) {
      std::vector<unsigned> runs(threads * blocks);
      run(W, {blocks, 1, 1}, block, [&] {
        simt::block_barrier(simt::combine::nothing, false, HERE);
        ++runs[linear_block() * threads + linear_thread()];
      });
      for (const unsigned count : runs) ASSERT_EQ(count, 1U);
    }
  }
}

TEST_P(machine, dynamic_shared_memory_belongs_to_the_block) {
  const unsigned blocks = 8;
  std::vector<unsigned> wrong(blocks);
  std::atomic<unsigned> written{0};
  run(
      W, {blocks, 1, 1}, {2 * W, 1, 1},
      [&] {
        auto* const shared = static_cast<unsigned*>(this_lane->dynamic_shared);
        shared[linear_thread()] = linear_block() * 1000 + linear_thread();
        simt::block_barrier(simt::combine::nothing, false, HERE);
        // Nobody reads before all blocks have written.
        if (linear_thread() == 0) ++written;
        while (written != blocks) simt::yield(HERE);
        const unsigned other = 2 * W - 1 - linear_thread();
        if (shared[other] != linear_block() * 1000 + other) ++wrong[linear_block()];
      },
      2 * W * sizeof(unsigned));
  for (const unsigned count : wrong) EXPECT_EQ(count, 0U);
}

// In a build that is not optimised no variable is in a register.
#if defined(__GNUC__) && !defined(__clang__)
#define OPTIMISED __attribute__((optimize("O2")))
#else
#define OPTIMISED
#endif

TEST_P(machine, keeps_a_lane_s_variables_and_stack_while_it_waits) {
  std::vector<double> got(2 * W);
  run(W, {1, 1, 1}, {2 * W, 1, 1}, [&]() OPTIMISED {
    double mine[64];
    for (int i = 0; i < 64; ++i) mine[i] = linear_thread() * 100.0 + i;
    std::uint64_t a = linear_thread() + 1, b = a * 3, c = a * 5, d = a * 7, e = a * 11, f = a * 13, g = a * 17;
    for (int round = 0; round < 64; ++round) {
      simt::collect(sum_of_group, ~lane_mask{0}, a, 0, HERE);
      a += b, b += c, c += d, d += e, e += f, f += g, g += a;
    }
    double sum = static_cast<double>(a % 1024);
    for (int i = 0; i < 64; ++i) sum += mine[i];
    got[linear_thread()] = sum;
  });
  for (unsigned thread = 0; thread < 2 * W; ++thread) {
    std::uint64_t a = thread + 1, b = a * 3, c = a * 5, d = a * 7, e = a * 11, f = a * 13, g = a * 17;
    for (int round = 0; round < 64; ++round) a += b, b += c, c += d, d += e, e += f, f += g, g += a;
    ASSERT_EQ(got[thread], static_cast<double>(a % 1024) + 6400.0 * thread + 63 * 32) << thread;
  }
}

TEST_P(machine, launches_from_several_threads_do_not_mix) {
  simt::set_warp_size(W);
  std::vector<unsigned> sums(4);
  std::vector<std::thread> launchers;
  for (unsigned which = 0; which < 4; ++which) {
    launchers.emplace_back([&, which] {
      const auto body = [&sums, which] {
        if (linear_block() == 0) sums[which] += which + 1;
      };
      for (int i = 0; i < 50; ++i) simt::launch({"kernel", {4, 1, 1}, {64, 1, 1}, 0, call_body<decltype(body)>, &body});
    });
  }
  for (std::thread& each : launchers) each.join();
  for (unsigned which = 0; which < 4; ++which) EXPECT_EQ(sums[which], 50 * 64 * (which + 1));
}

TEST(machine_limits, sixteen_full_blocks_may_wait_for_each_other) {
  std::atomic<unsigned> here{0};
  run(64, {16, 1, 1}, {1024, 1, 1}, [&] {
    if (linear_thread() == 0) ++here;
    while (here != 16) simt::yield(HERE);
  });
  EXPECT_EQ(here, 16U);
}

/// Launches three blocks of so many threads; how many lanes ran is added to `runs`.
bool launch_three_blocks(unsigned threads, std::atomic<unsigned>& runs) {
  const auto body = [&] { ++runs; };
  return simt::launch({"kernel", {3, 1, 1}, {threads, 1, 1}, 0, call_body<decltype(body)>, &body});
}

TEST(machine_limits, more_workers_than_there_is_room_for_are_as_good_as_fewer) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto launch_often_with_many_workers = [] {
    simt::current_settings().workers = 40;
    const auto body = [] {};
    int failed = 0;
    for (int i = 0; i < 300; ++i) {
      failed += !simt::launch({"kernel", {40, 1, 1}, {1024, 1, 1}, 0, call_body<decltype(body)>, &body});
    }
    std::fprintf(stderr, "%d failed\n", failed);
    std::_Exit(0);
  };
  EXPECT_EXIT(launch_often_with_many_workers(), testing::ExitedWithCode(0), "^0 failed");
}

TEST(machine_limits, a_launch_without_room_for_its_lanes_runs_nothing_and_says_so) {
  // In a process of its own: here workers may have kept the stacks of earlier launches.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto launch_with_room_for_127_lanes = [] {
    simt::lane_stacks others;
    const bool granted = others.reserve(simt::max_lanes_alive - 127);
    std::atomic<unsigned> runs{0};
    const bool of_128 = launch_three_blocks(128, runs);
    const unsigned runs_of_128 = runs;
    const bool of_127 = launch_three_blocks(127, runs);
    std::fprintf(stderr, "%d: %d %u, %d %u\n", granted, of_128, runs_of_128, of_127, runs.load());
    std::_Exit(0);
  };
  EXPECT_EXIT(launch_with_room_for_127_lanes(), testing::ExitedWithCode(0), "1: 0 0, 1 381\n");
}

}  // namespace test_machine

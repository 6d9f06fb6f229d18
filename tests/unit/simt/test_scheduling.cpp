// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scheduling: lanes run in order, meet whatever others do meanwhile, and let other lanes, warps and blocks run.
#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <random>
#include <set>
#include <thread>
#include <tuple>
#include <vector>

#include "machine_kernels.hpp"
#include "simt/machine/faults.hpp"
#include "simt/machine/schedule.hpp"

namespace test_scheduling {

using namespace machine_kernels;

class scheduling : public testing::TestWithParam<unsigned> {
 protected:
  const unsigned W = GetParam();
  const lane_mask all = W == 64 ? ~lane_mask{0} : (lane_mask{1} << W) - 1;
};

INSTANTIATE_TEST_SUITE_P(both_warp_sizes, scheduling, testing::Values(32U, 64U));

TEST_P(scheduling, lanes_of_a_warp_take_turns_in_ascending_order) {
  for (const unsigned threads : {W, W - 3, 2 * W}) {
    std::vector<unsigned> taken[2], ascending;
    run(W, {1, 1, 1}, {threads, 1, 1}, [&] {
      const unsigned warp = linear_thread() / W;
      taken[warp].push_back(this_lane->lane_id);
      simt::collect(members, all, 0, 0, HERE);
      taken[warp].push_back(this_lane->lane_id);
      simt::collect(members, all, 0, 0, HERE);
      taken[warp].push_back(this_lane->lane_id);
    });
    for (unsigned i = 0; i < 3 * std::min(threads, W); ++i) ascending.push_back(i % std::min(threads, W));
    EXPECT_EQ(taken[0], ascending);
    EXPECT_EQ(taken[1], threads > W ? ascending : std::vector<unsigned>{});
  }
}

namespace {

/// One step of a lane.
struct lane_step {
  enum { collect, yield, exit } kind;
  lane_mask group;       ///< the lanes that it meets
  bool at_second_place;  ///< of two places in the source
};

constexpr unsigned steps = 12;

/// Each step splits the lanes that are left into groups. A group meets, with a mask of its own at one of two places, or
/// yields, or returns.
std::vector<std::vector<lane_step>> random_steps(std::mt19937& random, unsigned lanes) {
  std::vector<std::vector<lane_step>> of_lanes(lanes);
  lane_mask left = lanes == 64 ? ~lane_mask{0} : (lane_mask{1} << lanes) - 1;
  for (unsigned step = 0; step < steps; ++step) {
    lane_mask ungrouped = left;
    while (ungrouped != 0) {
      // All that are left, a run of neighbors, or any.
      lane_mask group = left;
      const unsigned first = random() % lanes;
      if (random() % 3 == 0) group = ~lane_mask{0} >> first >> random() % lanes << first;
      if (random() % 4 == 0) group = (lane_mask{random()} << 32 | random()) & ~lane_mask{random() % 2};
      group &= ungrouped;
      const bool at_second_place = random() % 2 == 0;
      const unsigned choice = random() % 16;
      for (unsigned lane = 0; lane < lanes; ++lane) {
        if ((group >> lane & 1) == 0) continue;
        of_lanes[lane].push_back({choice == 0 && step > 2 ? lane_step::exit
                                  : choice < 3            ? lane_step::yield
                                                          : lane_step::collect,
                                  group, at_second_place});
      }
      if (choice == 0 && step > 2) left &= ~group;
      ungrouped &= ~group;
    }
  }
  return of_lanes;
}

}  // namespace

TEST_P(scheduling, lanes_meet_whom_they_name_whatever_others_do_meanwhile) {
  std::mt19937 random(2026);
  for (int round = 0; round < 300; ++round) {
    const unsigned threads = random() % 4 == 0 ? 1 + static_cast<unsigned>(random() % (W - 1)) : 2 * W;
    const unsigned lanes = std::min(threads, W);
    const std::vector<std::vector<lane_step>> all_steps = random_steps(random, lanes);
    std::atomic<unsigned> wrong{0}, returned{0};
    run(W, {3, 1, 1}, {threads, 1, 1}, [&] {
      const unsigned lane = this_lane->lane_id;
      for (unsigned step = 0; step < all_steps[lane].size(); ++step) {
        const lane_step& now = all_steps[lane][step];
        if (now.kind == lane_step::exit) break;
        if (now.kind == lane_step::yield) {
          simt::yield(HERE);
          continue;
        }
        const auto value_of = [&](unsigned id) { return linear_thread() / W * 10007 + id * id + step; };
        std::uint64_t expected = 0;
        for (unsigned other = 0; other < lanes; ++other) {
          if (now.group >> other & 1) expected += value_of(other);
        }
        const simt::site at{"meet", "kernel.hip", now.at_second_place ? 1U : 2U};
        const std::uint64_t sum = simt::collect(sum_of_group, now.group, value_of(lane), 0, at);
        if (sum != expected) ++wrong;
      }
      ++returned;
    });
    ASSERT_EQ(wrong, 0U) << "round " << round;
    ASSERT_EQ(returned, 3 * threads) << "round " << round;
  }
}

TEST_P(scheduling, warps_of_one_block_may_wait_for_each_other) {
  std::atomic<unsigned> turn{3};
  run(W, {1, 1, 1}, {4 * W, 1, 1}, [&] {
    const unsigned warp = linear_thread() / W;
    while (turn != warp) simt::yield(HERE);
    simt::collect(sum_of_group, ~lane_mask{0}, 1, 0, HERE);
    if (this_lane->lane_id == W - 1) --turn;
  });
  EXPECT_EQ(turn, ~0U);
}

TEST_P(scheduling, a_warp_that_only_meets_itself_lets_other_warps_run) {
  // Warp 0 votes in a loop until warp 1 has raised the flag; it never passes a scheduling point.
  std::atomic<bool> raised{false};
  run(W, {1, 1, 1}, {2 * W, 1, 1}, [&] {
    if (linear_thread() / W == 1) {
      raised = true;
    } else {
      while (simt::collect(sum_of_group, ~lane_mask{0}, raised ? 1 : 0, 0, HERE) == 0) {
      }
    }
  });
  EXPECT_TRUE(raised);
}

// In each of these three, some lanes loop until others, which would otherwise not run, end the loop.

TEST_P(scheduling, lanes_that_meet_in_a_loop_let_others_of_their_warp_run) {
  std::atomic<bool> raised{false};
  run(W, {1, 1, 1}, {W, 1, 1}, [&] {
    const lane_mask low = 0xffff;
    if (this_lane->lane_id < 16) {
      while (simt::collect(sum_of_group, low, raised ? 1 : 0, 0, HERE) == 0) {
      }
    } else {
      raised = true;
    }
  });
  EXPECT_TRUE(raised);
}

TEST_P(scheduling, the_first_question_who_is_active_is_answered_first) {
  std::atomic<bool> raised{false};
  run(W, {1, 1, 1}, {W, 1, 1}, [&] {
    if (this_lane->lane_id < 8) {
      while (!raised) simt::collect_active(members, 0, 0, HERE);
    } else {
      simt::collect_active(members, 0, 0, HERE);
      raised = true;
    }
  });
  EXPECT_TRUE(raised);
}

TEST_P(scheduling, in_other_orders_any_lanes_may_be_active_together) {
  std::set<lane_mask> answers[2];
  for (const std::uint32_t rules : {WARPZ_RULES_PORTABLE, WARPZ_RULES_AMD}) {
    simt::current_settings().rules = rules;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      simt::current_settings().perturbation.schedule = seed;
      lane_mask together[64] = {};
      run(W, {1, 1, 1}, {W, 1, 1}, [&] { together[this_lane->lane_id] = simt::collect_active(members, 0, 0, HERE); });
      for (unsigned lane = 0; lane < W; ++lane) {
        EXPECT_NE(together[lane] >> lane & 1, 0U);
        for (unsigned other = 0; other < W; ++other) {
          EXPECT_TRUE((together[lane] >> other & 1) == 0 || together[other] == together[lane]);
        }
        if (seed != 0) answers[rules == WARPZ_RULES_AMD].insert(together[lane]);
        EXPECT_TRUE(seed != 0 || together[lane] == all);
      }
    }
  }
  simt::current_settings().perturbation.schedule = 0;
  simt::current_settings().rules = WARPZ_RULES_PORTABLE;
  EXPECT_EQ(answers[0].count(all), 1U);
  EXPECT_GT(answers[0].size(), 20U);
  EXPECT_EQ(answers[1], std::set<lane_mask>{all});
}

TEST_P(scheduling, a_warp_that_only_asks_who_is_active_lets_other_warps_run) {
  std::atomic<bool> raised{false};
  run(W, {1, 1, 1}, {2 * W, 1, 1}, [&] {
    if (linear_thread() / W == 1) {
      raised = true;
    } else {
      while (!raised) simt::collect_active(members, 0, 0, HERE);
    }
  });
  EXPECT_TRUE(raised);
}

class block_order : public testing::TestWithParam<std::tuple<unsigned, bool>> {};

INSTANTIATE_TEST_SUITE_P(both_ways, block_order, testing::Combine(testing::Values(32U, 64U), testing::Bool()));

TEST_P(block_order, blocks_that_wait_for_each_other_make_progress) {
  const auto [W, backwards] = GetParam();
  const unsigned blocks = 200;
  std::atomic<unsigned> turn{0};
  std::vector<unsigned> order;
  run(W, {blocks, 1, 1}, {W, 1, 1}, [&, backwards = backwards] {
    if (this_lane->lane_id != 0) return;
    const unsigned me = backwards ? blocks - 1 - linear_block() : linear_block();
    while (turn != me) simt::yield(HERE);
    order.push_back(me);
    ++turn;
  });
  ASSERT_EQ(order.size(), blocks);
  for (unsigned i = 0; i < blocks; ++i) ASSERT_EQ(order[i], i);
}

TEST(block_orders, each_block_begins_once_and_the_first_one_differs) {
  std::set<std::uint64_t> firsts;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    for (const std::uint64_t count : {2U, 7U, 48U}) {
      warpz_perturbation perturbation{};
      perturbation.schedule = seed;
      const simt::block_order order(perturbation, {static_cast<unsigned>(count), 1, 1});
      std::set<std::uint64_t> begun;
      for (std::uint64_t turn = 0; turn < count; ++turn) begun.insert(order.at(turn));
      EXPECT_EQ(begun.size(), count);
      EXPECT_LT(*begun.rbegin(), count);
      if (count == 48) firsts.insert(order.at(0));
    }
  }
  EXPECT_GT(firsts.size(), 10U);
}

/// Runs 40 blocks of one lane, each of which passes 20,000 scheduling points and calls `step` behind each. The most
/// that were there at once, where two may run.
template <class Step>
unsigned max_blocks_alive(unsigned W, const Step& step) {
  std::atomic<unsigned> alive{0};
  unsigned most = 0;
  simt::current_settings().workers = 2;
  run(W, {40, 1, 1}, {1, 1, 1}, [&] {
    most = std::max(most, ++alive);
    for (std::uint64_t i = 0; i < 20'000; ++i) {
      simt::yield(HERE);
      step(i);
    }
    --alive;
  });
  simt::current_settings().workers = 0;
  return most;
}

TEST_P(scheduling, a_block_that_changes_values_does_not_wait) {
  std::uint64_t value = 0;
  EXPECT_LE(max_blocks_alive(W, [&](std::uint64_t) { simt::note_access(&value, simt::access_effect::changed); }), 2U);
}

TEST_P(scheduling, a_block_that_looks_at_other_values_or_combines_them_does_not_wait) {
  const std::vector<std::uint64_t> values(20'000);
  EXPECT_LE(max_blocks_alive(W, [&](std::uint64_t i) { simt::note_access(&values[i], simt::access_effect::looked); }),
            2U);
  EXPECT_LE(max_blocks_alive(W, [&](std::uint64_t) { simt::note_access(&values[0], simt::access_effect::combined); }),
            2U);
}

TEST_P(scheduling, runs_several_blocks_at_once) {
  // Two blocks that each wait for the other: neither can end alone.
  std::atomic<unsigned> here{0};
  run(W, {2, 1, 1}, {1, 1, 1}, [&] {
    ++here;
    while (here != 2) simt::yield(HERE);
  });
  EXPECT_EQ(here, 2U);
}

/// On a busy machine a worker that waits for a core is asked where it is many times before it can answer.
TEST(worker, answers_many_questions_at_once) {
  std::thread worker([] {
    const simt::signal_stack own;
    simt::install_fault_handlers();
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    for (int i = 0; i < 500; ++i) simt::sample_thread(pthread_self());
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  });
  worker.join();
}

}  // namespace test_scheduling

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A seed's order, written down as decisions and followed, is that order; and each part of it can be followed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <random>
#include <tuple>
#include <vector>

#include "machine_kernels.hpp"
#include "simt/machine/decisions.hpp"

namespace test_decisions {

using namespace machine_kernels;

/// A lane comes by: its block and thread, and how often it has.
using passed = std::tuple<unsigned, unsigned, unsigned>;
using history = std::vector<passed>;

class orders : public testing::TestWithParam<unsigned> {
 protected:
  orders() : record_(static_cast<warpz_schedule_record*>(std::calloc(1, sizeof(warpz_schedule_record)))) {
    simt::current_settings().workers = 1;
  }
  ~orders() override {
    simt::current_settings() = warpz_default_settings;
    std::free(record_);
  }

  /// All lanes yield, meet, pass barriers and return as their numbers say.
  history history_of(simt::index3 grid, unsigned threads) const {
    history steps;
    run(W, grid, {threads, 1, 1}, [&] {
      const unsigned block = linear_block(), thread = linear_thread();
      for (unsigned step = 0; step < 6; ++step) {
        steps.emplace_back(block, thread, step);
        if ((thread + step) % 3 != 0) simt::yield(HERE);
        if (step == 2) simt::block_barrier(simt::combine::nothing, false, HERE);
        const lane_mask half =
            this_lane->lane_id < W / 2 ? (lane_mask{1} << W / 2) - 1 : ((lane_mask{1} << W / 2) - 1) << W / 2;
        if (step == 3) simt::collect(members, half, 0, 0, HERE);
        if (step == 4 && thread % 5 == 0) return;
      }
    });
    return steps;
  }

  history in_order(std::uint64_t seed, warpz_schedule_record* record, simt::index3 grid, unsigned threads) const {
    simt::current_settings().perturbation = {};
    simt::current_settings().perturbation.schedule = seed;
    simt::current_settings().perturbation.decisions = record;
    return history_of(grid, threads);
  }

  std::vector<warpz_decision> recorded() const {
    std::vector<warpz_decision> all(record_->decisions, record_->decisions + record_->decision_count);
    std::stable_sort(all.begin(), all.end(), [](const warpz_decision& a, const warpz_decision& b) {
      return std::make_tuple(a.of_blocks == 0, a.block) < std::make_tuple(b.of_blocks == 0, b.block);
    });
    return all;
  }

  void set(const std::vector<warpz_decision>& some) {
    std::copy(some.begin(), some.end(), record_->decisions);
    record_->decision_count = some.size();
  }

  const unsigned W = GetParam();
  warpz_schedule_record* const record_;
};

INSTANTIATE_TEST_SUITE_P(both_warp_sizes, orders, testing::Values(32U, 64U));

TEST_P(orders, all_decisions_of_a_seed_are_its_order) {
  for (const unsigned threads : {W - 3, W, 2 * W + 5}) {
    const history ascending = in_order(0, nullptr, {3, 1, 1}, threads);
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      const history by_seed = in_order(seed, nullptr, {3, 1, 1}, threads);
      record_->decision_count = 0;
      EXPECT_EQ(in_order(seed, record_, {3, 1, 1}, threads), by_seed);
      const std::vector<warpz_decision> all = recorded();
      EXPECT_EQ(all.empty(), by_seed == ascending);
      set(all);
      EXPECT_EQ(in_order(0, record_, {3, 1, 1}, threads), by_seed) << "seed " << seed;
    }
  }
}

TEST_P(orders, no_decisions_are_the_ascending_order) {
  const history ascending = in_order(0, nullptr, {2, 1, 1}, 2 * W);
  record_->decision_count = 0;
  EXPECT_EQ(in_order(0, record_, {2, 1, 1}, 2 * W), ascending);
}

TEST_P(orders, parts_of_an_order_end_with_all_lanes_at_their_ends) {
  std::mt19937 random(W);
  history all_steps = in_order(0, nullptr, {2, 1, 1}, 2 * W);
  std::sort(all_steps.begin(), all_steps.end());
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    record_->decision_count = 0;
    in_order(seed, record_, {2, 1, 1}, 2 * W);
    const std::vector<warpz_decision> all = recorded();
    for (int round = 0; round < 6; ++round) {
      std::vector<warpz_decision> some;
      std::copy_if(all.begin(), all.end(), std::back_inserter(some), [&](const auto&) { return random() % 3 == 0; });
      set(some);
      history steps = in_order(0, record_, {2, 1, 1}, 2 * W);
      const history again = in_order(0, record_, {2, 1, 1}, 2 * W);
      EXPECT_EQ(steps, again);
      std::sort(steps.begin(), steps.end());
      EXPECT_EQ(steps, all_steps);
    }
  }
}

TEST_P(orders, one_decision_lets_one_lane_go_first_and_no_other) {
  // Lane 5 of the second warp passes its points 0 and 1, which are its first two steps or more, before lane 2 begins.
  set({{0, 0, 0, W + 5, 1, 2, 0}});
  history expected = in_order(0, nullptr, {1, 1, 1}, 2 * W);
  const history steps = in_order(0, record_, {1, 1, 1}, 2 * W);
  EXPECT_NE(steps, expected);
  const auto first_of = [&](unsigned thread) {
    return std::find(steps.begin(), steps.end(), passed{0, thread, 0}) - steps.begin();
  };
  EXPECT_LT(first_of(W + 5), first_of(2));
  EXPECT_LT(first_of(1), first_of(W + 5));
  EXPECT_LT(first_of(2), first_of(3));
  EXPECT_LT(first_of(3), first_of(W + 4));
}

TEST_P(orders, the_others_keep_to_the_ascending_order_that_was_kept) {
  record_->keeps_base = 1;
  const history ascending = in_order(0, record_, {2, 1, 1}, 2 * W);
  record_->keeps_base = 0;
  EXPECT_EQ(ascending, in_order(0, nullptr, {2, 1, 1}, 2 * W));
  EXPECT_EQ(record_->base_block_count, 2U);
  EXPECT_EQ(in_order(0, record_, {2, 1, 1}, 2 * W), ascending);
  for (const std::uint32_t point : {0U, 1U, 2U}) {
    set({{0, 0, 1, W + 5, point, 2, 0}});
    const history steps = in_order(0, record_, {2, 1, 1}, 2 * W);
    EXPECT_NE(steps, ascending);
    const auto without_it = [&](history all) {
      all.erase(
          std::remove_if(all.begin(), all.end(),
                         [&](const passed& each) { return std::get<0>(each) == 1 && std::get<1>(each) == W + 5; }),
          all.end());
      return all;
    };
    EXPECT_EQ(without_it(steps), without_it(ascending)) << point;
  }
  // A seed's order is its order with it, too.
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const history by_seed = in_order(seed, nullptr, {2, 1, 1}, 2 * W);
    record_->decision_count = 0;
    EXPECT_EQ(in_order(seed, record_, {2, 1, 1}, 2 * W), by_seed);
    set(recorded());
    EXPECT_EQ(in_order(0, record_, {2, 1, 1}, 2 * W), by_seed) << "seed " << seed;
  }
}

TEST_P(orders, blocks_go_first_and_the_others_stay_in_order) {
  set({{0, 1, 0, 3, 0, 1, 0}});
  std::vector<unsigned> blocks;
  simt::current_settings().perturbation.decisions = record_;
  run(W, {5, 1, 1}, {1, 1, 1}, [&] { blocks.push_back(linear_block()); });
  EXPECT_EQ(blocks, (std::vector<unsigned>{0, 3, 1, 2, 4}));
}

TEST_P(orders, decisions_that_cannot_be_kept_are_given_up) {
  // Each of two waits for the other; one waits for a lane that has to meet it first; numbers that no lane has.
  set({{0, 0, 0, 1, 9, 0, 0}, {0, 0, 0, 0, 9, 1, 0}, {0, 0, 0, 7, 900, 3, 2}, {0, 0, 0, 4000, 0, 2, 0}});
  history steps = in_order(0, record_, {1, 1, 1}, W);
  history all_steps = in_order(0, nullptr, {1, 1, 1}, W);
  std::sort(steps.begin(), steps.end());
  std::sort(all_steps.begin(), all_steps.end());
  EXPECT_EQ(steps, all_steps);
}

TEST_P(orders, a_lane_that_is_spun_for_is_held_for_a_while_only) {
  // Lane 0 gives what the others wait for, and is held until lane 1 has got it.
  set({{0, 0, 0, 1, 1 << 30, 0, 1}});
  simt::current_settings().perturbation.decisions = record_;
  bool is_given = false;
  unsigned got = 0;
  const simt::site together = HERE;
  run(W, {1, 1, 1}, {W, 1, 1}, [&] {
    simt::yield(HERE);
    if (this_lane->lane_id == 0) is_given = true;
    if (this_lane->lane_id == 1) simt::collect(members, 3, 0, 0, together);
    while (!is_given) simt::yield(HERE);
    if (this_lane->lane_id == 0) simt::collect(members, 3, 0, 0, together);
    ++got;
  });
  EXPECT_EQ(got, W);
}

TEST_P(orders, places_and_the_trail_are_told) {
  set({{0, 0, 0, 9, 1, 3, 1}});
  record_->trail_block = 0;
  record_->trail_count = 0;
  in_order(0, record_, {1, 1, 1}, W);
  EXPECT_EQ(record_->first[0].lanes, lane_mask{1} << 9);
  EXPECT_EQ(record_->held[0].lanes, lane_mask{1} << 3);
  EXPECT_NE(record_->first[0].state, 0U);
  EXPECT_GT(record_->held[0].place.line, 0U);
  EXPECT_STREQ(record_->held[0].place.operation, "meet");
  ASSERT_GT(record_->trail_count, W);
  const std::vector<warpz_passing> trail(record_->trail, record_->trail + record_->trail_count);
  const auto at = [&](std::uint32_t thread, std::uint32_t point) {
    return std::find_if(trail.begin(), trail.end(),
                        [&](const warpz_passing& each) { return each.thread == thread && each.point == point; });
  };
  EXPECT_NE(at(9, 1), trail.end());
  EXPECT_TRUE(at(9, 1) < at(3, 1));
}

}  // namespace test_decisions

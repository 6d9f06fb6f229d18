// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is left of an order still shows the fault when it is followed, and shows it no longer without any one decision.
// Kernels run in this process, on the machine itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "run/experiments/schedule_shrink.hpp"
#include "simt/machine_kernels.hpp"
#include "system/shared_memory.hpp"

namespace test_schedule_shrink {

using namespace machine_kernels;
using warpz::schedule_decision;
using warpz::shrunk_schedule;

/// Runs a kernel in this process. Its result is a number.
class machine_replay final : public warpz::replay {
 public:
  using kernel = std::function<std::uint64_t()>;

  explicit machine_replay(kernel run_once) : run_once_(std::move(run_once)) {
    simt::current_settings().workers = 1;
    usual_ = result_of({});
  }
  ~machine_replay() override { simt::current_settings() = warpz_default_settings; }

  std::uint64_t result_of(const warpz_perturbation& perturbation) {
    simt::current_settings().perturbation = perturbation;
    ++runs;
    return last_ = run_once_();
  }

  std::uint64_t usual() const { return usual_; }

  const warpz::run_record& run(const warpz::variation& varied) override {
    result_of(varied.perturbation);
    return record_;
  }
  void set_baseline() override { usual_ = last_; }
  bool is_same() const override { return last_ == usual_; }
  void describe_difference(warpz::symbolized_finding&) const override {}
  bool confirm(const warpz::variation&, warpz::symbolized_finding&) override { return true; }

  unsigned runs = 0;

 private:
  kernel run_once_;
  std::uint64_t usual_ = 0;
  std::uint64_t last_ = 0;
  warpz::run_record record_;
};

class shrinking : public testing::TestWithParam<unsigned> {
 protected:
  /// The finding, in the first of 40 seeds in which the result is another one.
  std::optional<warpz::symbolized_finding> found_in(machine_replay& code, const warpz::shrink_limits& limits = {}) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      warpz_perturbation order{};
      order.schedule = seed;
      if (code.result_of(order) == code.usual()) continue;
      warpz::symbolized_finding found{{}, 0, seed, 0};
      found.record.kind = WARPZ_SCHEDULE_DEPENDENCE;
      warpz::schedule_shrink(code, limits).shrink(found);
      return found;
    }
    return {};
  }

  std::uint64_t followed(machine_replay& code, const std::vector<warpz_decision>& some) {
    std::copy(some.begin(), some.end(), record_->decisions);
    record_->decision_count = some.size();
    record_->trail_count = 0;
    record_->trail_block = ~std::uint64_t{0};
    warpz_perturbation order{};
    order.decisions = &*record_;
    return code.result_of(order);
  }

  /// Replays what is left, and what is left without each one of the decisions.
  void expect_each_is_needed(machine_replay& code, const shrunk_schedule& shrunk) {
    ASSERT_EQ(shrunk.ended, shrunk_schedule::end::smallest);
    ASSERT_EQ(shrunk.count, shrunk.decisions.size());
    std::vector<warpz_decision> all;
    for (const schedule_decision& each : shrunk.decisions) all.push_back(each.decided);
    EXPECT_NE(followed(code, all), code.usual());
    for (std::size_t i = 0; i < all.size(); ++i) {
      std::vector<warpz_decision> rest = all;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
      EXPECT_EQ(followed(code, rest), code.usual()) << "without number " << i;
    }
  }

  const unsigned W = GetParam();
  os::shared_memory<warpz_schedule_record> record_;
};

INSTANTIATE_TEST_SUITE_P(both_warp_sizes, shrinking, testing::Values(32U, 64U));

TEST_P(shrinking, a_lane_that_must_not_come_before_another_is_named) {
  // Wrong only if lane 3 of warp 1 comes before lane 7 of warp 0.
  machine_replay code([this] {
    bool has_come = false;
    std::uint64_t result = 0;
    run(W, {2, 1, 1}, {2 * W, 1, 1}, [&] {
      simt::block_barrier(simt::combine::nothing, false, HERE);
      if (linear_block() != 1) return;
      if (linear_thread() == 7) has_come = true;
      if (linear_thread() == W + 3 && !has_come) result = 1;
    });
    return result;
  });
  const auto found = found_in(code);
  ASSERT_TRUE(found && found->shrunk);
  const shrunk_schedule& shrunk = *found->shrunk;
  expect_each_is_needed(code, shrunk);
  ASSERT_EQ(shrunk.count, 1U);
  const schedule_decision& only = shrunk.decisions.front();
  EXPECT_EQ(only.decided, (warpz_decision{0, 0, 1, W + 3, 1, 7, 1}));
  EXPECT_EQ(only.first.group.warp, 1U);
  EXPECT_EQ(only.first.group.lanes, lane_mask{1} << 3);
  EXPECT_EQ(only.held.group.warp, 0U);
  EXPECT_EQ(only.held.group.lanes, lane_mask{1} << 7);
  EXPECT_EQ(only.held.group.block[0], 1U);
  EXPECT_NE(only.held.group.place.line, 0U);
  EXPECT_GT(shrunk.of_order, 1U);
}

TEST_P(shrinking, two_decisions_that_are_both_needed_are_left) {
  // Wrong only if lane 9 comes before lane 2, and lane 12 of the other warp before lane 5.
  machine_replay code([this] {
    unsigned come = 0, order[4]{};
    const auto note = [&](unsigned number) { order[number] = ++come; };
    run(W, {1, 1, 1}, {2 * W, 1, 1}, [&] {
      simt::yield(HERE);
      if (linear_thread() == 2) note(0);
      if (linear_thread() == 9) note(1);
      if (linear_thread() == W + 5) note(2);
      if (linear_thread() == W + 12) note(3);
    });
    return std::uint64_t{order[1] < order[0] && order[3] < order[2]};
  });
  const auto found = found_in(code);
  ASSERT_TRUE(found && found->shrunk);
  expect_each_is_needed(code, *found->shrunk);
  EXPECT_EQ(found->shrunk->count, 2U);
}

TEST_P(shrinking, blocks_are_named) {
  machine_replay code([this] {
    std::uint64_t last = 0;
    run(W, {6, 1, 1}, {W, 1, 1}, [&] {
      if (linear_thread() == 0) last = last == 4 ? 100 : linear_block();
    });
    return std::uint64_t{last != 100};
  });
  const auto found = found_in(code);
  ASSERT_TRUE(found && found->shrunk);
  expect_each_is_needed(code, *found->shrunk);
  for (const schedule_decision& each : found->shrunk->decisions) EXPECT_EQ(each.decided.of_blocks, 1U);
}

TEST_P(shrinking, says_where_it_ends_early) {
  const auto kernel = [this] {
    std::uint64_t descents = 0;
    unsigned last = 0;
    run(W, {1, 1, 1}, {W, 1, 1}, [&] {
      simt::block_barrier(simt::combine::nothing, false, HERE);
      if (linear_thread() < last) ++descents;
      last = linear_thread();
    });
    // Much has to be out of order: one lane that comes too early is one descent.
    return std::uint64_t{descents > W / 4};
  };
  machine_replay code(kernel);
  warpz::shrink_limits few;
  few.replays = 8;
  const unsigned before = code.runs;
  const auto cut = found_in(code, few);
  ASSERT_TRUE(cut && cut->shrunk);
  EXPECT_EQ(cut->shrunk->ended, shrunk_schedule::end::cut_short);
  EXPECT_LE(cut->shrunk->replays, few.replays + 1);
  EXPECT_LE(code.runs - before, 40 + few.replays + 1);
  EXPECT_GT(cut->shrunk->count, 1U);

  warpz::shrink_limits no_time;
  no_time.time = std::chrono::seconds(0);
  const auto none = found_in(code, no_time);
  ASSERT_TRUE(none && none->shrunk);
  EXPECT_EQ(none->shrunk->ended, shrunk_schedule::end::cut_short);
  EXPECT_EQ(none->shrunk->count, 0U);
}

TEST_P(shrinking, a_result_that_changes_by_itself_is_not_shrunk) {
  std::uint64_t calls = 0;
  machine_replay code([&] { return ++calls; });
  const auto found = found_in(code);
  ASSERT_TRUE(found && found->shrunk);
  EXPECT_EQ(found->shrunk->ended, shrunk_schedule::end::not_shown);
  EXPECT_TRUE(found->shrunk->decisions.empty());
}

TEST_P(shrinking, only_so_many_findings_are_shrunk) {
  machine_replay code([this] {
    std::uint64_t last = 0;
    run(W, {1, 1, 1}, {W, 1, 1}, [&] {
      simt::yield(HERE);
      last = linear_thread();
    });
    return last;
  });
  warpz::shrink_limits limits;
  limits.findings = 2;
  warpz::schedule_shrink shrink(code, limits);
  for (int i = 0; i < 3; ++i) {
    warpz::symbolized_finding found{{}, 0, 1, 0};
    found.record.kind = WARPZ_SCHEDULE_DEPENDENCE;
    shrink.shrink(found);
    EXPECT_EQ(found.shrunk.has_value(), i < 2);
  }
}

/// Kernels in which some pairs of steps of random lanes must not change places.
TEST_P(shrinking, what_is_left_of_random_orders_is_needed) {
  std::mt19937 random(W);
  unsigned shown = 0;
  for (int round = 0; round < 40; ++round) {
    const auto below = [&](unsigned end) { return static_cast<unsigned>(random() % end); };
    const unsigned blocks = 1 + below(3), threads = 2 + below(3 * W), steps = 1 + below(4);
    const unsigned pairs = 1 + below(3);
    struct event {
      unsigned block, thread, step;
    };
    std::vector<event> earlier, later;
    for (unsigned i = 0; i < pairs; ++i) {
      const auto any = [&] { return event{below(blocks), below(threads), below(steps)}; };
      earlier.push_back(any());
      later.push_back(any());
    }
    machine_replay code([&] {
      std::uint64_t turned = 0;
      std::vector<unsigned> when(2 * pairs, 0);
      unsigned now = 0;
      run(W, {blocks, 1, 1}, {threads, 1, 1}, [&] {
        for (unsigned step = 0; step < steps; ++step) {
          if ((linear_thread() + step) % 4 != 0) simt::yield(HERE);
          if (step % 2 == 1) simt::block_barrier(simt::combine::nothing, false, HERE);
          ++now;
          for (unsigned i = 0; i < pairs; ++i) {
            const auto is = [&](const event& one) {
              return linear_block() == one.block && linear_thread() == one.thread && step == one.step;
            };
            if (is(earlier[i])) when[2 * i] = now;
            if (is(later[i])) when[2 * i + 1] = now;
          }
        }
      });
      for (unsigned i = 0; i < pairs; ++i) turned += when[2 * i] > when[2 * i + 1] ? 1U << i : 0;
      return turned;
    });
    const auto found = found_in(code);
    if (!found) continue;
    ASSERT_TRUE(found->shrunk);
    expect_each_is_needed(code, *found->shrunk);
    ++shown;
  }
  EXPECT_GT(shown, 15U);
}

}  // namespace test_schedule_shrink

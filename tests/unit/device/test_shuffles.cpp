// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Broadcasts and votes, and shuffles of lanes that come from different branches: which lane's value arrives where.
#include <cstdint>
#include <cstring>

#include "lanes.hpp"
#include "warpz/warp.hpp"

namespace test_shuffles {

namespace warp = warpz::warp;
using lanes::results_of;
using lanes::shape;
using warpz::lane_mask;

/// A value of any type that tells threads apart in every byte.
template <class T>
LANE_FUNCTION T value_of(unsigned thread) {
  unsigned char bytes[sizeof(T)];
  for (unsigned i = 0; i < sizeof(T); ++i) bytes[i] = static_cast<unsigned char>(thread * 37 + thread / 7 + i * 11);
  T result;
  std::memcpy(&result, bytes, sizeof(T));
  return result;
}

struct mixed {
  double wide;
  float narrow;
  short shorter;
  char least[2];  // no byte is padding, whose content need not arrive
};

template <class T>
bool same_bits(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

class warp_operation : public testing::TestWithParam<unsigned> {
 protected:
  const unsigned W = GetParam();
};

INSTANTIATE_TEST_SUITE_P(both_warp_sizes, warp_operation, testing::Values(32U, 64U));

TEST_P(warp_operation, size_and_lane_id_are_the_warps) {
  for (const shape& on : lanes::shapes(W)) {
    const auto got = results_of(on, [] LANE_FUNCTION(unsigned) { return warp::size() * 1000 + warp::lane_id(); });
    for (unsigned thread = 0; thread < got.size(); ++thread) {
      ASSERT_EQ(got[thread], static_cast<int>(W * 1000 + thread % W)) << testing::PrintToString(on);
    }
  }
}

// The other types: test_moves.cpp, whose lists of values no bool can be in.
TEST_P(warp_operation, shuffles_move_truth) {
  const auto holds = [](unsigned thread) { return thread % 3 == 1; };
  const shape on{W, dim3(2 * W)};
  const auto got = results_of(on, [=] LANE_FUNCTION(unsigned thread) {
    const bool v = thread % 3 == 1;
    return warp::shuffle_idx(v, 5) * 8 + warp::shuffle_up(v, 1) * 4 + warp::shuffle_down(v, 2) * 2 +
           warp::shuffle_xor(v, 3);
  });
  for (unsigned thread = 0; thread < on.threads(); ++thread) {
    const unsigned lane = on.lane(thread), first = on.first(thread);
    const unsigned up = lane >= 1 ? thread - 1 : thread, down = lane + 2 < W ? thread + 2 : thread;
    ASSERT_EQ(got[thread], holds(first + 5) * 8 + holds(up) * 4 + holds(down) * 2 + holds(thread ^ 3)) << thread;
  }
}

TEST_P(warp_operation, broadcast_gives_the_first_lanes_value_to_all) {
  for (const shape& on : lanes::shapes(W)) {
    const auto got =
        results_of(on, [] LANE_FUNCTION(unsigned thread) { return warp::broadcast(value_of<mixed>(thread)); });
    for (unsigned thread = 0; thread < got.size(); ++thread) {
      ASSERT_TRUE(same_bits(got[thread], value_of<mixed>(on.first(thread)))) << testing::PrintToString(on) << thread;
    }
  }
}

TEST_P(warp_operation, broadcast_gives_any_lanes_value_to_all_and_each_its_own_where_that_lane_is_missing) {
  for (const shape& on : lanes::shapes(W)) {
    for (const unsigned source : {0U, 1U, 4U, 30U, 31U, 32U, 63U, 64U, 0xffffffffU}) {
      const auto got = results_of(
          on, [=] LANE_FUNCTION(unsigned thread) { return warp::broadcast(value_of<double>(thread), source); });
      for (unsigned thread = 0; thread < got.size(); ++thread) {
        const unsigned from = source < on.existing(thread) ? on.first(thread) + source : thread;
        ASSERT_TRUE(same_bits(got[thread], value_of<double>(from))) << testing::PrintToString(on) << thread;
      }
    }
  }
}

TEST_P(warp_operation, shuffles_within_the_lanes_that_a_mask_names) {
  const lane_mask low = (lane_mask{1} << W / 2) - 1;
  for (const unsigned threads : {W, W + 3, W / 2 + 3}) {
    const auto got = results_of({W, dim3(threads)}, [=] LANE_FUNCTION(unsigned thread) {
      // Two branches, each with all the lanes of its mask.
      if (warp::lane_id() < warp::size() / 2) return warp::shuffle_xor(thread, 1, low);
      return warp::shuffle_down(thread, 1, ~low) + 1000;
    });
    const shape on{W, dim3(threads)};
    for (unsigned thread = 0; thread < threads; ++thread) {
      const unsigned lane = on.lane(thread), existing = on.existing(thread);
      const unsigned partner = (lane ^ 1) < existing ? thread ^ 1 : thread;
      const unsigned next = lane + 1 < existing ? thread + 1 : thread;
      ASSERT_EQ(got[thread], lane < W / 2 ? partner : next + 1000) << threads << " threads, thread " << thread;
    }
  }
}

TEST_P(warp_operation, shuffles_among_lanes_that_came_in_different_orders) {
  // Odd lanes first make a detour by themselves, so that all meet in the last shuffle from two directions.
  const lane_mask odd = 0xaaaaaaaaaaaaaaaa;
  const auto got = results_of({W, dim3(W)}, [=] LANE_FUNCTION(unsigned thread) {
    unsigned v = thread;
    if (thread % 2 == 1) v = warp::shuffle_xor(v, 2, odd);
    return warp::shuffle_xor(v, 1);
  });
  for (unsigned thread = 0; thread < W; ++thread) ASSERT_EQ(got[thread], thread % 2 == 0 ? (thread ^ 3) : (thread ^ 1));
}

TEST_P(warp_operation, vote_any_and_all_know_existing_lanes_only) {
  struct answers {
    lane_mask vote;
    bool any, all;
  };
  const lane_mask patterns[] = {
      0, 1, 2, 0x8000000000000000, 0x5555555555555555, 0xffffffff, 0xffffffff00000000, ~lane_mask{0}};
  for (const shape& on : lanes::shapes(W)) {
    for (const lane_mask pattern : patterns) {
      const auto got = results_of(on, [=] LANE_FUNCTION(unsigned) {
        const bool holds = (pattern >> warp::lane_id() & 1) != 0;
        return answers{warp::vote(holds), warp::any(holds), warp::all(holds)};
      });
      for (unsigned thread = 0; thread < got.size(); ++thread) {
        const unsigned existing = on.existing(thread);
        const lane_mask there = existing == 64 ? ~lane_mask{0} : (lane_mask{1} << existing) - 1;
        ASSERT_EQ(got[thread].vote, pattern & there) << testing::PrintToString(on);
        ASSERT_EQ(got[thread].any, (pattern & there) != 0) << testing::PrintToString(on);
        ASSERT_EQ(got[thread].all, (pattern & there) == there) << testing::PrintToString(on);
      }
    }
  }
}

TEST_P(warp_operation, active_mask_names_the_caller_and_none_that_took_the_other_branch) {
  for (const unsigned threads : {W, W / 2 + 3, W + 5}) {
    const shape on{W, dim3(threads)};
    const auto got = results_of(on, [] LANE_FUNCTION(unsigned thread) {
      if (thread % 3 == 0) return warp::active_mask();
      return warp::active_mask();
    });
    for (unsigned thread = 0; thread < threads; ++thread) {
      const unsigned lane = on.lane(thread);
      ASSERT_TRUE(got[thread] >> lane & 1) << thread;
      for (unsigned other = 0; other < 64; ++other) {
        if ((got[thread] >> other & 1) == 0) continue;
        ASSERT_LT(other, on.existing(thread));
        ASSERT_EQ((on.first(thread) + other) % 3 == 0, thread % 3 == 0) << thread << " with lane " << other;
      }
    }
  }
}

static_assert(warpz::vendor() == warpz::platform::cpu, "these tests are built for the CPU machine");
static_assert(warpz::full_mask == ~std::uint64_t{0}, "the full mask names all lanes of either warp size");

}  // namespace test_shuffles

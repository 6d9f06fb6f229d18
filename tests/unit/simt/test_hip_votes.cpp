// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Votes, matches, reductions, masks of lanes and __syncwarp.
#include <cmath>
#include <limits>

#include "hip_kernels.hpp"

namespace test_hip_votes {

using namespace hip_kernels;
using mask = unsigned long long;

HIP_KERNEL_TESTS(hip_votes);
HIP_KERNEL_TESTS(hip_matches);
HIP_KERNEL_TESTS(hip_reductions);
HIP_KERNEL_TESTS(hip_lanes);

/// A predicate of a thread that looks arbitrary.
int holds(unsigned thread) { return (thread * 2654435761u >> 13 & 3) == 1 ? static_cast<int>(thread) - 40 : 0; }

/// The lanes of thread i's warp for which `predicate(thread)` holds.
template <class Predicate>
mask lanes_where(unsigned W, unsigned threads, unsigned i, const Predicate& predicate) {
  mask lanes = 0;
  for (unsigned lane = 0; lane < W; ++lane) {
    const unsigned thread = i / W * W + lane;
    if (thread < threads && predicate(thread)) lanes |= mask{1} << lane;
  }
  return lanes;
}

struct vote_results {
  mask ballot;
  int any, all, none_any, true_all;
};

bool operator==(const vote_results& a, const vote_results& b) {
  return a.ballot == b.ballot && a.any == b.any && a.all == b.all && a.none_any == b.none_any &&
         a.true_all == b.true_all;
}

TEST_P(hip_votes, count_the_lanes_that_exist) {
  for (const dim3 block : blocks(W)) {
    const unsigned threads = threads_of(block);
    const auto plain = collect_results(W, block, [] {
      const int p = holds(rank());
      return vote_results{__ballot(p), __any(p), __all(p), __any(0), __all(-5)};
    });
    const auto masked = collect_results(W, block, [] {
      const int p = holds(rank());
      return vote_results{__ballot_sync(~0ull, p), __any_sync(~0ull, p), __all_sync(~0ull, p), __any_sync(~0ull, 0),
                          __all_sync(~0ull, -5)};
    });
    for (unsigned i = 0; i < threads; ++i) {
      const mask expected = lanes_where(W, threads, i, holds);
      const vote_results all_of_it{expected, expected != 0, expected == lanes_of(W, threads, i / W), 0, 1};
      EXPECT_TRUE(plain[i] == all_of_it) << i << " of " << threads;
      EXPECT_TRUE(masked[i] == all_of_it) << i << " of " << threads;
    }
  }
}

TEST_P(hip_votes, ballot_has_64_bits_by_either_name) {
  const auto got = collect_results(W, dim3(W), [&] { return __ballot(1) ^ __ballot64(__lane_id() != W - 1); });
  EXPECT_EQ(got, std::vector<mask>(W, mask{1} << (W - 1)));
}

TEST_P(hip_votes, branches_vote_among_themselves) {
  const mask odd = all & 0xaaaaaaaaaaaaaaaaull, even = all & ~odd;
  const auto got = collect_results(W, dim3(W), [&]() -> mask {
    if (__lane_id() % 2 == 1) return __ballot_sync(odd, __lane_id() > 10);
    mask sum = 0;
    for (int i = 0; i < 3; ++i) sum += __ballot_sync(even, __lane_id() == 2) + static_cast<mask>(__all_sync(even, 1));
    return sum;
  });
  for (unsigned lane = 0; lane < W; ++lane) EXPECT_EQ(got[lane], lane % 2 == 1 ? odd & ~0x7ffull : 3 * (4 + 1)) << lane;
}

TEST_P(hip_votes, a_missing_lane_is_a_finding) {
  if (W == 64) GTEST_SKIP() << "of 64 lanes the active ones meet, as on AMD's GPUs (test_rules.cpp)";
  EXPECT_FINDING(run_broken(W, dim3(W),
                            [] {
                              if (__lane_id() != 3) __ballot(1);
                            }),
                 "kind 1: .* state 1 __ballot mask .* lanes 8 state 2");
  EXPECT_FINDING(run_broken(W, dim3(W), [] { __any_sync(2ull, 1); }), "kind 3: .*__any_sync mask 2 ");
}

// Matches.

template <class T, class Value>
void check_matches(unsigned W, const Value& value) {
  for (const dim3 block : blocks(W)) {
    const unsigned threads = threads_of(block);
    const auto any = collect_results(W, block, [&] { return __match_any(static_cast<T>(value(rank()))); });
    const auto any_sync =
        collect_results(W, block, [&] { return __match_any_sync(~0ull, static_cast<T>(value(rank()))); });
    for (unsigned i = 0; i < threads; ++i) {
      const mask expected = lanes_where(
          W, threads, i, [&](unsigned other) { return static_cast<T>(value(other)) == static_cast<T>(value(i)); });
      EXPECT_EQ(any[i], expected) << i;
      EXPECT_EQ(any_sync[i], expected) << i;
    }
  }
}

TEST_P(hip_matches, any_finds_the_lanes_with_the_same_value) {
  const auto few = [](unsigned i) { return (i * 2654435761u >> 20) % 5; };
  check_matches<int>(W, few);
  check_matches<unsigned>(W, [](unsigned i) { return i; });
  check_matches<unsigned long>(W, [](unsigned) { return 7; });
  check_matches<long long>(W, [](unsigned i) { return static_cast<long long>(i % 3) << 32; });
  check_matches<float>(W, [](unsigned i) { return i % 2 == 0 ? 0.0f : -0.0f; });
  check_matches<double>(W, [](unsigned i) { return 0.5 * (i % 7); });
}

TEST_P(hip_matches, a_nan_matches_itself) {
  const auto got = collect_results(W, dim3(W), [] { return __match_any(__lane_id() < 2 ? NAN : 1.0f); });
  EXPECT_EQ(got[0], mask{3});
  EXPECT_EQ(got[2], all & ~mask{3});
}

TEST_P(hip_matches, all_needs_every_lane) {
  for (const dim3 block : blocks(W)) {
    const unsigned threads = threads_of(block);
    for (const unsigned odd_one : {~0u, 0u, threads - 1}) {
      struct answer {
        mask lanes, lanes_sync;
        int predicate, predicate_sync;
      };
      const auto got = collect_results(W, block, [&] {
        answer a{0, 0, -1, -1};
        const double value = rank() == odd_one ? 2.0 : 1.0;
        a.lanes = __match_all(value, &a.predicate);
        a.lanes_sync = __match_all_sync(~0ull, value, &a.predicate_sync);
        return a;
      });
      for (unsigned i = 0; i < threads; ++i) {
        const mask here = lanes_of(W, threads, i / W);
        const bool same = odd_one / W != i / W || here == 1;
        EXPECT_EQ(got[i].lanes, same ? here : 0) << i;
        EXPECT_EQ(got[i].lanes_sync, got[i].lanes) << i;
        EXPECT_EQ(got[i].predicate, same) << i;
        EXPECT_EQ(got[i].predicate_sync, same) << i;
      }
    }
  }
}

TEST_P(hip_matches, look_at_the_lanes_of_the_mask_only) {
  const auto got = collect_results(W, dim3(W), [] {
    int predicate = 0;
    if (__lane_id() >= 6) return mask{0};
    const mask any = __match_any_sync(0x3full, static_cast<int>(__lane_id() / 4));
    return any | __match_all_sync(0x3full, 1, &predicate) << 8 | static_cast<mask>(predicate) << 16;
  });
  for (unsigned lane = 0; lane < 6; ++lane) EXPECT_EQ(got[lane], (lane < 4 ? 0xfu : 0x30u) | 0x3f00u | 0x10000u);
}

// Reductions.

TEST_P(hip_reductions, combine_the_lanes_of_the_mask) {
  const mask odd = all & 0xaaaaaaaaaaaaaaaaull;
  for (const dim3 block : blocks(W)) {
    const unsigned threads = threads_of(block);
    struct answer {
      unsigned sum, bits_and, bits_or, bits_xor;
      int least, greatest;
      double total;
      long long wide;
    };
    const auto value = [](unsigned i) { return static_cast<int>(i * 2654435761u); };
    const auto got = collect_results(W, block, [&] {
      const mask members = __lane_id() % 2 == 1 ? odd : all & ~odd;
      const int v = value(rank());
      const unsigned u = static_cast<unsigned>(v);
      return answer{__reduce_add_sync(members, u),
                    __reduce_and_sync(members, u | 0xff),
                    __reduce_or_sync(members, u & 0xffff),
                    __reduce_xor_sync(members, u),
                    __reduce_min_sync(members, v),
                    __reduce_max_sync(members, v),
                    __reduce_add_sync(members, 0.5 * rank()),
                    __reduce_add_sync(members, 1048576ll * v)};
    });
    for (unsigned i = 0; i < threads; ++i) {
      answer expected{0, ~0u, 0, 0, std::numeric_limits<int>::max(), std::numeric_limits<int>::min(), 0, 0};
      for (unsigned other = i / W * W; other < threads && other < i / W * W + W; ++other) {
        if (other % 2 != i % 2) continue;
        const int v = value(other);
        const unsigned u = static_cast<unsigned>(v);
        expected.sum += u;
        expected.bits_and &= u | 0xff;
        expected.bits_or |= u & 0xffff;
        expected.bits_xor ^= u;
        expected.least = v < expected.least ? v : expected.least;
        expected.greatest = v > expected.greatest ? v : expected.greatest;
        expected.total += 0.5 * other;
        expected.wide += 1048576ll * v;
      }
      EXPECT_EQ(got[i].sum, expected.sum) << i;
      EXPECT_EQ(got[i].bits_and, expected.bits_and) << i;
      EXPECT_EQ(got[i].bits_or, expected.bits_or) << i;
      EXPECT_EQ(got[i].bits_xor, expected.bits_xor) << i;
      EXPECT_EQ(got[i].least, expected.least) << i;
      EXPECT_EQ(got[i].greatest, expected.greatest) << i;
      EXPECT_EQ(got[i].total, expected.total) << i;
      EXPECT_EQ(got[i].wide, expected.wide) << i;
    }
  }
}

TEST_P(hip_reductions, integers_wrap_and_nans_are_ignored) {
  run(W, dim3(1), dim3(W), [] {
    EXPECT_EQ(__reduce_add_sync(~0ull, __lane_id() == 0 ? std::numeric_limits<int>::max() : __lane_id() == 1),
              std::numeric_limits<int>::min());
    EXPECT_EQ(__reduce_max_sync(~0ull, __lane_id() == 2 ? -4.0f : NAN), -4.0f);
    EXPECT_EQ(__reduce_min_sync(~0ull, __lane_id() == 2 ? 4.0 : static_cast<double>(NAN)), 4.0);
  });
}

TEST_P(hip_reductions, floats_are_added_neighbors_first) {
  const auto value = [](unsigned lane) { return 1.0f / static_cast<float>(3 * lane + 1); };
  std::vector<float> level;
  for (unsigned lane = 0; lane < W; ++lane) level.push_back(value(lane));
  while (level.size() > 1) {
    for (std::size_t i = 0; i < level.size() / 2; ++i) level[i] = level[2 * i] + level[2 * i + 1];
    level.resize(level.size() / 2);
  }
  const auto got = collect_results(W, dim3(W), [&] { return __reduce_add_sync(~0ull, value(__lane_id())); });
  EXPECT_EQ(got, std::vector<float>(W, level[0]));
}

// Who is here.

TEST_P(hip_lanes, are_numbered_with_x_fastest) {
  for (const dim3 block : blocks(W)) {
    const auto got = collect_results(W, block, [] { return __lane_id(); });
    for (unsigned i = 0; i < got.size(); ++i) EXPECT_EQ(got[i], i % W);
  }
}

TEST_P(hip_lanes, activemask_names_the_lanes_of_a_branch) {
  const auto got = collect_results(W, dim3(W + 7), [] {
    mask seen = 0;
    if (__lane_id() % 3 == 0) {
      seen = __activemask();
    } else if (__lane_id() % 3 == 1) {
      seen = __activemask() << 1;
    }
    __syncwarp();
    return seen;
  });
  for (unsigned i = 0; i < W + 7; ++i) {
    const mask expected = lanes_where(W, W + 7, i, [&](unsigned other) { return other % W % 3 == i % W % 3; });
    EXPECT_EQ(got[i], i % W % 3 == 2 ? 0 : expected << (i % W % 3)) << i;
  }
}

TEST_P(hip_lanes, activemask_leaves_out_lanes_that_have_returned) {
  std::vector<mask> got(W);
  run(W, dim3(1), dim3(W), [&] {
    if (__lane_id() < 5) return;
    got[__lane_id()] = __activemask();
  });
  for (unsigned lane = 5; lane < W; ++lane) EXPECT_EQ(got[lane], all & ~mask{0x1f});
}

TEST_P(hip_lanes, masks_of_lanes_below_and_above) {
  const auto got = collect_results(W, dim3(W), [] {
    return std::vector<mask>{__lanemask_lt(),      __lanemask_eq(),
                             __lanemask_gt(),      __mbcnt_hi(~0u, __mbcnt_lo(~0u, 100)),
                             __mbcnt_lo(0xf0u, 0), __mbcnt_hi(0xf0u, 0)};
  });
  for (unsigned lane = 0; lane < W; ++lane) {
    mask below = 0, above = 0;
    unsigned low = 0, high = 0;
    for (unsigned other = 0; other < W; ++other) {
      if (other < lane) below |= mask{1} << other;
      if (other > lane) above |= mask{1} << other;
      if (other < lane && other >= 4 && other < 8) ++low;
      if (other < lane && other >= 36 && other < 40) ++high;
    }
    EXPECT_EQ(got[lane], (std::vector<mask>{below, mask{1} << lane, above, 100 + lane, low, high})) << lane;
  }
}

TEST_P(hip_lanes, syncwarp_waits_for_the_lanes_of_its_mask) {
  std::vector<int> shared(W);
  const mask low = 0xff;
  const auto got = collect_results(W, dim3(W), [&] {
    const unsigned self = __lane_id();
    int seen = 0;
    if (self < 8) {
      shared[self] = static_cast<int>(self) + 1;
      __syncwarp(low);
      seen = shared[(self + 1) % 8];
    }
    __syncwarp();
    shared[self] = 100 + static_cast<int>(self);
    __syncwarp();
    return seen + 1000 * shared[(self + 1) % W];
  });
  for (unsigned lane = 0; lane < W; ++lane) {
    const unsigned seen = lane < 8 ? (lane + 1) % 8 + 1 : 0;
    EXPECT_EQ(got[lane], static_cast<int>(seen + 1000 * (100 + (lane + 1) % W))) << lane;
  }
}

TEST_P(hip_lanes, a_syncwarp_that_a_lane_misses_is_a_finding) {
  EXPECT_FINDING(run_broken(W, dim3(W),
                            [] {
                              if (__lane_id() == 0) return;
                              __syncwarp();
                            }),
                 "kind 1: .*state 1 __syncwarp ");
}

}  // namespace test_hip_votes

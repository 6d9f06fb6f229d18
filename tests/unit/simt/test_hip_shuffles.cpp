// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __shfl and its kin: which lane is read, in every type, and who has to take part.
#include <climits>
#include <cstring>

#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>

#include "hip_kernels.hpp"

namespace test_hip_shuffles {

using namespace hip_kernels;

HIP_KERNEL_TESTS(hip_shuffles);

long long modulo(long long a, long long b) { return (a % b + b) % b; }

// The rules in words: an offset is a signed number; a lane that would lie past the segment (before it, for up) is
// the caller itself; what is left counts modulo the warp size.

unsigned idx_rule(unsigned W, unsigned lane, int source, int width) {
  return static_cast<unsigned>(modulo(lane / width * width + modulo(source, width), W));
}

unsigned up_rule(unsigned W, unsigned lane, int delta, int width) {
  const long long source = static_cast<long long>(lane) - delta;
  return source < static_cast<long long>(lane / width * width) ? lane : static_cast<unsigned>(modulo(source, W));
}

unsigned down_rule(unsigned W, unsigned lane, int delta, int width) {
  const long long source = static_cast<long long>(lane) + delta;
  return source >= static_cast<long long>((lane / width + 1) * width) ? lane : static_cast<unsigned>(modulo(source, W));
}

unsigned xor_rule(unsigned W, unsigned lane, int bits, int width) {
  const long long source = static_cast<int>(lane) ^ bits;
  return source >= static_cast<long long>((lane / width + 1) * width) ? lane : static_cast<unsigned>(modulo(source, W));
}

std::vector<int> offsets(int W) {
  return {0,     1,         2,    3,  5,  8,  15,     16, W / 2 - 1, W / 2, W - 1,        W,
          W + 1, 2 * W + 3, 1000, -1, -2, -7, -W / 2, -W, -W - 1,    -1000, INT_MAX - 64, INT_MIN + 64};
}

unsigned value_of(unsigned rank) { return 1000 + 7 * rank; }

using rule = unsigned (*)(unsigned W, unsigned lane, int argument, int width);

/// Every width and offset in every shape of block: `shuffle(value, offset, width)` against the rule.
template <class Shuffle>
void check(unsigned W, const Shuffle& shuffle, rule expected_source) {
  const std::vector<int> all_offsets = offsets(static_cast<int>(W));
  for (const dim3 block : blocks(W)) {
    const unsigned threads = threads_of(block);
    for (int width = 2; width <= static_cast<int>(W); width *= 2) {
      const auto got = collect_results(W, block, [&] {
        std::vector<unsigned> received;
        for (const int offset : all_offsets) received.push_back(shuffle(value_of(rank()), offset, width));
        return received;
      });
      for (unsigned i = 0; i < threads; ++i) {
        for (std::size_t k = 0; k < all_offsets.size(); ++k) {
          const unsigned source = i / W * W + expected_source(W, i % W, all_offsets[k], width);
          // A lane that the block lacks has no defined value.
          const unsigned expected = source < threads ? value_of(source) : ~0u;
          ASSERT_EQ(got[i][k], expected) << "thread " << i << " of " << threads << " offset " << all_offsets[k]
                                         << " width " << width;
        }
      }
    }
  }
}

TEST_P(hip_shuffles, shfl_reads_modulo_the_width) {
  check(
      W, [](unsigned v, int source, int width) { return __shfl(v, source, width); }, idx_rule);
}

TEST_P(hip_shuffles, shfl_up_stops_at_the_beginning_of_the_segment) {
  check(
      W, [](unsigned v, int delta, int width) { return __shfl_up(v, static_cast<unsigned>(delta), width); }, up_rule);
}

TEST_P(hip_shuffles, shfl_down_stops_at_the_end_of_the_segment) {
  check(
      W, [](unsigned v, int delta, int width) { return __shfl_down(v, static_cast<unsigned>(delta), width); },
      down_rule);
}

TEST_P(hip_shuffles, shfl_xor_stops_at_the_end_of_the_segment) {
  check(
      W, [](unsigned v, int bits, int width) { return __shfl_xor(v, bits, width); }, xor_rule);
}

TEST_P(hip_shuffles, with_a_full_mask_they_do_the_same) {
  constexpr unsigned long long full = ~0ull;
  check(
      W, [](unsigned v, int source, int width) { return __shfl_sync(full, v, source, width); }, idx_rule);
  check(
      W, [](unsigned v, int delta, int width) { return __shfl_up_sync(full, v, static_cast<unsigned>(delta), width); },
      up_rule);
  check(
      W,
      [](unsigned v, int delta, int width) { return __shfl_down_sync(full, v, static_cast<unsigned>(delta), width); },
      down_rule);
  check(
      W, [](unsigned v, int bits, int width) { return __shfl_xor_sync(full, v, bits, width); }, xor_rule);
}

TEST_P(hip_shuffles, the_width_is_the_warp_size_by_default) {
  const auto got = collect_results(W, dim3(W), [&] {
    const unsigned self = __lane_id();
    return std::vector<unsigned>{__shfl(self, static_cast<int>(W) - 1), __shfl_up(self, 20u), __shfl_down(self, 20u),
                                 __shfl_xor(self, static_cast<int>(W / 2))};
  });
  for (unsigned lane = 0; lane < W; ++lane) {
    EXPECT_EQ(got[lane], (std::vector<unsigned>{W - 1, lane < 20 ? lane : lane - 20, lane + 20 < W ? lane + 20 : lane,
                                                lane ^ W / 2}));
  }
}

/// Moves a value with a distinct pattern in all its bytes by one lane.
template <class T, class Result = T>
void check_type(unsigned W) {
  const auto value = [](unsigned lane) {
    T v{};
    unsigned char bytes[sizeof(T)];
    for (unsigned i = 0; i < sizeof(T); ++i) bytes[i] = static_cast<unsigned char>(lane * 3 + 11 * i + 1);
    std::memcpy(&v, bytes, sizeof(T));
    return v;
  };
  std::vector<Result> got(W);
  run(W, dim3(1), dim3(W), [&] {
    static_assert(std::is_same_v<decltype(__shfl(T(), 0)), Result>);
    static_assert(std::is_same_v<decltype(__shfl_xor_sync(0ull, T(), 0)), Result>);
    got[__lane_id()] =
        __shfl_xor(__shfl_down(__shfl_up(__shfl(value(__lane_id()), static_cast<int>(__lane_id())), 1u), 1u), 1);
  });
  for (unsigned lane = 0; lane < W; ++lane) {
    const unsigned partner = lane ^ 1;
    const Result expected = value(partner == W - 1 ? W - 2 : partner);
    EXPECT_EQ(std::memcmp(&got[lane], &expected, sizeof(Result)), 0) << lane;
  }
}

TEST_P(hip_shuffles, moves_every_type_of_32_and_64_bits) {
  check_type<int>(W);
  check_type<unsigned>(W);
  check_type<long>(W);
  check_type<unsigned long>(W);
  check_type<long long>(W);
  check_type<unsigned long long>(W);
  check_type<float>(W);
  check_type<double>(W);
}

TEST_P(hip_shuffles, moves_half_precision) {
  check_type<__half>(W);
  check_type<__half2>(W);
  check_type<__hip_bfloat16>(W);
}

TEST_P(hip_shuffles, smaller_integers_come_back_promoted) {
  check_type<short, int>(W);
  check_type<unsigned char, int>(W);
}

TEST_P(hip_shuffles, reading_past_the_block_is_undefined_in_every_type) {
  run(W, dim3(1), dim3(3), [] {
    const float f = __shfl(1.0f, 5);
    const double d = __shfl(1.0, 5);
    EXPECT_TRUE(f != f);
    EXPECT_TRUE(d != d);
    EXPECT_EQ(__shfl(1, 5), -1);
    EXPECT_EQ(__shfl(1ull, 5), ~0ull);
  });
}

TEST_P(hip_shuffles, two_halves_in_different_branches_have_their_own_masks) {
  const unsigned half = W / 2;
  const unsigned long long low = (1ull << half) - 1, high = all & ~low;
  const auto got = collect_results(W, dim3(2 * W), [&]() -> int {
    const int self = static_cast<int>(__lane_id());
    int sum = self;
    if (__lane_id() < half) {
      for (unsigned step = half / 2; step > 0; step /= 2) sum += __shfl_xor_sync(low, sum, static_cast<int>(step));
    } else {
      for (unsigned step = 1; step < half; step *= 2) sum += __shfl_xor_sync(high, sum, static_cast<int>(step));
      sum = __shfl_sync(high, sum, static_cast<int>(half));
    }
    return sum;
  });
  const int h = static_cast<int>(half);
  for (unsigned i = 0; i < 2 * W; ++i) EXPECT_EQ(got[i], i % W < half ? h * (h - 1) / 2 : h * (h - 1) / 2 + h * h) << i;
}

TEST_P(hip_shuffles, a_lane_outside_the_mask_has_no_defined_value) {
  const auto got = collect_results(W, dim3(W), [] {
    const int self = static_cast<int>(__lane_id());
    return self < 8 ? __shfl_sync(0xffull, self, self == 2 ? 8 : 3) : 0;
  });
  for (unsigned lane = 0; lane < 8; ++lane) EXPECT_EQ(got[lane], lane == 2 ? -1 : 3);
}

TEST_P(hip_shuffles, bits_of_a_mask_past_the_warp_or_the_block_name_nobody) {
  const auto got = collect_results(W, dim3(5), [] { return __shfl_sync(~0ull, threadIdx.x, 4); });
  EXPECT_EQ(got, std::vector<unsigned>(5, 4));
}

TEST_P(hip_shuffles, a_caller_outside_its_mask_is_a_finding) {
  const std::string line = std::to_string(__LINE__ + 1);
  const auto body = [] { __shfl_down_sync(0xfull, 1, 1); };
  EXPECT_FINDING(run_broken(W, dim3(W), body), "kind 3: .* lanes 10 state 3 __shfl_down_sync mask f line " + line);
}

TEST_P(hip_shuffles, a_mask_of_nobody_is_a_finding) {
  EXPECT_FINDING(run_broken(W, dim3(W), [] { __shfl_sync(0ull, 1, 1); }), "kind 3: .* __shfl_sync mask 0 ");
}

TEST_P(hip_shuffles, lanes_that_stay_away_are_a_finding) {
  if (W == 64) GTEST_SKIP() << "of 64 lanes the active ones meet, as on AMD's GPUs (test_rules.cpp)";
  char waiting[32];
  std::snprintf(waiting, sizeof waiting, "%llx", all & ~0xfffffull);
  const std::string line = std::to_string(__LINE__ + 2);
  const auto body = [] {
    if (__lane_id() >= 20) __shfl_down(1, 1);
  };
  EXPECT_FINDING(run_broken(W, dim3(W), body), "kind 1: .* lanes " + std::string(waiting) +
                                                   " state 1 __shfl_down mask [f]+ line " + line +
                                                   ";.* lanes fffff state 2");
}

TEST_P(hip_shuffles, different_masks_at_one_call_are_a_finding) {
  EXPECT_FINDING(run_broken(W, dim3(W), [] { __shfl_sync(__lane_id() < 8 ? 0xffull : ~0ull, 1, 1); }),
                 "kind 1: .*__shfl_sync mask f+ line");
}

TEST_P(hip_shuffles, different_functions_do_not_meet) {
  if (W == 64) GTEST_SKIP() << "of 64 lanes the active ones meet, as on AMD's GPUs (test_rules.cpp)";
  EXPECT_FINDING(run_broken(W, dim3(W), [] { __lane_id() == 0 ? __shfl_up(1, 1) : __shfl_down(1, 1); }),
                 "kind 1: .* lanes 1 state 1 __shfl_up .* state 1 __shfl_down ");
}

}  // namespace test_hip_shuffles

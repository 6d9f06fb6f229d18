// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AMD's instructions that move values between lanes, compared with models that are loops over all lanes, written from
// the instruction sets' manuals.
#include <gtest/gtest.h>
#include <hip/hip_runtime.h>

#include <functional>
#include <vector>

namespace test_lane_moves {

constexpr int none = -1;

template <class Body>
__global__ void run(int* output, unsigned long long active, Body body) {
  const int lane = static_cast<int>(threadIdx.x);
  output[lane] = -7;
  if ((active >> lane & 1) != 0) output[lane] = body(lane);
}

class lane_moves : public testing::TestWithParam<int> {
 protected:
  template <class Body>
  std::vector<int> results(const Body& body, unsigned long long active = ~0ull) {
    EXPECT_EQ(hipSetDevice(GetParam()), hipSuccess);
    std::vector<int> output(static_cast<size_t>(lanes));
    run<<<1, static_cast<unsigned>(lanes)>>>(output.data(), active, body);
    EXPECT_EQ(hipGetLastError(), hipSuccess);
    EXPECT_EQ(hipSetDevice(0), hipSuccess);
    return output;
  }
  /// Each lane's own value is 100 more than its number, its old one 1000 more.
  template <int control, bool bound = false, int rows = 15, int banks = 15>
  void expect_dpp(const std::function<int(int)>& source, unsigned long long active = ~0ull) {
    const auto got = results(
        [] __device__(int lane) {
          return __builtin_amdgcn_update_dpp(1000 + lane, 100 + lane, control, rows, banks, bound);
        },
        active);
    for (int lane = 0; lane < lanes; ++lane) {
      if ((active >> lane & 1) == 0) continue;
      int from = source(lane);
      if (from != none && (active >> from & 1) == 0) from = none;
      int expected = from != none ? 100 + from : bound ? 0 : 1000 + lane;
      if ((rows >> lane / 16 & 1) == 0 || (banks >> lane / 4 % 4 & 1) == 0) expected = 1000 + lane;
      EXPECT_EQ(got[static_cast<size_t>(lane)], expected) << "control " << control << ", lane " << lane;
    }
  }

  const int lanes = GetParam() == 0 ? 32 : 64;
};
INSTANTIATE_TEST_SUITE_P(both_warp_sizes, lane_moves, testing::Values(0, 1));

TEST_P(lane_moves, by_dpp_within_rows) {
  expect_dpp<0x1b>([](int lane) { return lane / 4 * 4 + 3 - lane % 4; });  // quad_perm 3, 2, 1, 0
  expect_dpp<0x00>([](int lane) { return lane / 4 * 4; });
  expect_dpp<0x103>([](int lane) { return lane % 16 < 13 ? lane + 3 : none; });       // row_shl
  expect_dpp<0x111, true>([](int lane) { return lane % 16 > 0 ? lane - 1 : none; });  // row_shr
  expect_dpp<0x124>([](int lane) { return lane / 16 * 16 + (lane + 12) % 16; });      // row_ror
  expect_dpp<0x140>([](int lane) { return lane / 16 * 16 + 15 - lane % 16; });
  expect_dpp<0x141>([](int lane) { return lane / 8 * 8 + 7 - lane % 8; });
  expect_dpp<0x155>([](int lane) { return lane / 16 * 16 + 5; });  // row_share
}

TEST_P(lane_moves, by_dpp_with_masks_and_without_some_lanes) {
  expect_dpp<0x111, true, 0xa, 0x3>([](int lane) { return lane % 16 > 0 ? lane - 1 : none; });
  expect_dpp<0x111, false>([](int lane) { return lane % 16 > 0 ? lane - 1 : none; }, 0x0f0f0f0ff0f0ff0full);
  expect_dpp<0x111, true>([](int lane) { return lane % 16 > 0 ? lane - 1 : none; }, 0x0f0f0f0ff0f0ff0full);
}

TEST_P(lane_moves, by_dpp_of_one_architecture) {
  if (lanes == 32) {
    expect_dpp<0x163>([](int lane) { return lane ^ 3; });  // row_xmask
    return;
  }
  expect_dpp<0x130>([](int lane) { return lane < 63 ? lane + 1 : none; });
  expect_dpp<0x134>([](int lane) { return (lane + 1) % 64; });
  expect_dpp<0x138>([](int lane) { return lane > 0 ? lane - 1 : none; });
  expect_dpp<0x13c>([](int lane) { return (lane + 63) % 64; });
  expect_dpp<0x142, false, 0xa>([](int lane) { return lane / 16 > 0 ? lane / 16 * 16 - 1 : none; });
  expect_dpp<0x143, false, 0xc>([](int lane) { return lane > 31 ? 31 : none; });
}

TEST_P(lane_moves, by_a_scan_as_rocm_writes_it) {
  const auto got = results([] __device__(int lane) {
    int sum = lane + 1;
    sum += __builtin_amdgcn_update_dpp(0, sum, 0x111, 0xf, 0xf, false);
    sum += __builtin_amdgcn_update_dpp(0, sum, 0x112, 0xf, 0xf, false);
    sum += __builtin_amdgcn_update_dpp(0, sum, 0x114, 0xf, 0xe, false);
    sum += __builtin_amdgcn_update_dpp(0, sum, 0x118, 0xf, 0xc, false);
    return sum;
  });
  for (int lane = 0; lane < lanes; ++lane) {
    int expected = 0;
    for (int i = lane / 16 * 16; i <= lane; ++i) expected += i + 1;
    EXPECT_EQ(got[static_cast<size_t>(lane)], expected);
  }
}

TEST_P(lane_moves, by_swizzle) {
  const auto swapped =
      results([] __device__(int lane) { return __builtin_amdgcn_ds_swizzle(lane, 1 << 10 | 0x1f); });  // xor 1
  const auto fourth =
      results([] __device__(int lane) { return __builtin_amdgcn_ds_swizzle(lane, 3 << 5 | 0x1c); });  // and 28, or 3
  const auto quad = results([] __device__(int lane) { return __builtin_amdgcn_ds_swizzle(lane, 0x8000 | 0x1b); });
  const auto rotated = results([] __device__(int lane) { return __builtin_amdgcn_ds_swizzle(lane, 0xc000 | 5 << 5); });
  const auto lonely =
      results([] __device__(int lane) { return __builtin_amdgcn_ds_swizzle(lane + 1, 1 << 10 | 0x1f); }, 0x5);
  for (int lane = 0; lane < lanes; ++lane) {
    const auto i = static_cast<size_t>(lane);
    EXPECT_EQ(swapped[i], lane ^ 1);
    EXPECT_EQ(fourth[i], lane / 4 * 4 + 3);
    EXPECT_EQ(quad[i], lane / 4 * 4 + 3 - lane % 4);
    EXPECT_EQ(rotated[i], lane / 32 * 32 + (lane + 5) % 32);
  }
  EXPECT_EQ(lonely[0], 0) << "its source is not active";
}

TEST_P(lane_moves, by_sending) {
  const auto shifted = results([] __device__(int lane) { return __builtin_amdgcn_ds_permute(4 * (lane + 1), lane); });
  const auto all_to_second = results([] __device__(int lane) { return __builtin_amdgcn_ds_permute(4, 10 + lane); });
  for (int lane = 0; lane < lanes; ++lane) {
    const auto i = static_cast<size_t>(lane);
    EXPECT_EQ(shifted[i], (lane + lanes - 1) % lanes);
    EXPECT_EQ(all_to_second[i], lane == 1 ? 10 + lanes - 1 : 0);
  }
}

TEST_P(lane_moves, by_permlane) {
  if (lanes == 64) return;
  const auto reversed = results([] __device__(int lane) {
    return static_cast<int>(
        __builtin_amdgcn_permlane16(0, static_cast<unsigned>(lane), 0x89abcdef, 0x01234567, false, false));
  });
  const auto crossed = results([] __device__(int lane) {
    return static_cast<int>(
        __builtin_amdgcn_permlanex16(0, static_cast<unsigned>(lane), 0x76543210, 0xfedcba98, false, false));
  });
  for (int lane = 0; lane < lanes; ++lane) {
    EXPECT_EQ(reversed[static_cast<size_t>(lane)], lane / 16 * 16 + 15 - lane % 16);
    EXPECT_EQ(crossed[static_cast<size_t>(lane)], lane ^ 16);
  }
}

TEST_P(lane_moves, and_bits_within_a_lane) {
  const auto got = results([] __device__(int lane) {
    switch (lane) {
      case 0:
        return static_cast<int>(__builtin_amdgcn_ubfe(0x12345678u, 8, 12));
      case 1:
        return __builtin_amdgcn_sbfe(0x0000f800, 8, 8);
      case 2:
        return static_cast<int>(__builtin_amdgcn_alignbit(0x12345678u, 0x9abcdef0u, 8));
      case 3:
        return static_cast<int>(__builtin_amdgcn_alignbyte(0x12345678u, 0x9abcdef0u, 3));
      case 4:
        return __builtin_amdgcn_writelane(77, 4, 5);
      case 5:
        return __builtin_amdgcn_writelane(77, 4, 5);
      default:
        return 0;
    }
  });
  const std::vector<int> expected = {0x456, -8, 0x789abcde, 0x3456789a, 77, 5};
  for (size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(got[i], expected[i]) << i;
}

__global__ void reverse_in_warp(int* output) {
  __shared__ int values[64];
  const auto lane = threadIdx.x;
  values[lane] = static_cast<int>(lane);
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
  output[lane] = values[blockDim.x - 1 - lane];
}

TEST_P(lane_moves, through_shared_memory_by_a_wave_barrier) {
  ASSERT_EQ(hipSetDevice(GetParam()), hipSuccess);
  std::vector<int> output(static_cast<size_t>(lanes));
  reverse_in_warp<<<1, static_cast<unsigned>(lanes)>>>(output.data());
  ASSERT_EQ(hipGetLastError(), hipSuccess);
  ASSERT_EQ(hipSetDevice(0), hipSuccess);
  for (int lane = 0; lane < lanes; ++lane) EXPECT_EQ(output[static_cast<size_t>(lane)], lanes - 1 - lane);
}

}  // namespace test_lane_moves

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AMD's built-in functions, compared with what the instruction set's manual says of each.
#include <gtest/gtest.h>
#include <hip/hip_runtime.h>

#include <vector>

namespace test_amd_builtins {

template <class Body>
__global__ void run(int* output, Body body) {
  output[threadIdx.x] = body(static_cast<int>(threadIdx.x));
}

/// What each lane of one warp gets.
template <class Body>
std::vector<int> lanes_of_warp(int device, const Body& body) {
  EXPECT_EQ(hipSetDevice(device), hipSuccess);
  std::vector<int> output(device == 0 ? 32 : 64);
  run<<<1, static_cast<unsigned>(output.size())>>>(output.data(), body);
  EXPECT_EQ(hipGetLastError(), hipSuccess);
  EXPECT_EQ(hipSetDevice(0), hipSuccess);
  return output;
}

class amd_builtins : public testing::TestWithParam<int> {
 protected:
  const int device = GetParam();
  const int lanes = device == 0 ? 32 : 64;
};
INSTANTIATE_TEST_SUITE_P(both_warp_sizes, amd_builtins, testing::Values(0, 1));

TEST_P(amd_builtins, bpermute_wraps_around) {
  const auto got = lanes_of_warp(
      device, [] __device__(int lane) { return __builtin_amdgcn_ds_bpermute((lane + 1) * 4, 100 + lane); });
  for (int lane = 0; lane < lanes; ++lane) EXPECT_EQ(got[lane], 100 + (lane + 1) % lanes);
}

TEST_P(amd_builtins, lanes_are_read_by_number_and_as_the_first) {
  const auto got = lanes_of_warp(device, [] __device__(int lane) {
    const int third = __builtin_amdgcn_readlane(10 * lane, 3);
    int first = -1;
    if (lane >= 5) first = __builtin_amdgcn_readfirstlane(lane);
    return third * 100 + first;
  });
  for (int lane = 0; lane < lanes; ++lane) EXPECT_EQ(got[lane], 3000 + (lane >= 5 ? 5 : -1));
}

TEST_P(amd_builtins, counts_of_lower_lanes) {
  const auto number = lanes_of_warp(device, [] __device__(int) {
    return static_cast<int>(__builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0)));
  });
  const auto odd = lanes_of_warp(device, [] __device__(int) {
    return static_cast<int>(__builtin_amdgcn_mbcnt_hi(0xaaaaaaaau, __builtin_amdgcn_mbcnt_lo(0xaaaaaaaau, 7)));
  });
  for (int lane = 0; lane < lanes; ++lane) {
    EXPECT_EQ(number[lane], lane);
    EXPECT_EQ(odd[lane], 7 + lane / 2);
  }
}

TEST_P(amd_builtins, ballots_and_the_size_of_a_warp) {
  const auto got = lanes_of_warp(device, [] __device__(int lane) {
    const unsigned long long all = __builtin_amdgcn_ballot_w64(lane % 3 == 0);
    return __popcll(all) * 1000 + static_cast<int>(__builtin_amdgcn_wavefrontsize());
  });
  EXPECT_EQ(got[0], (lanes + 2) / 3 * 1000 + lanes);
}

}  // namespace test_amd_builtins

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whose rules hold where lanes meet: which kernels come to their end by AMD's and by NVIDIA's, and with what.
#include <vector>

#include "simt/hip_kernels.hpp"

namespace test_rules {

using namespace hip_kernels;

class rules : public both_warp_sizes {
 protected:
  ~rules() override { simt::current_settings().rules = WARPZ_RULES_PORTABLE; }

  static constexpr float untouched = -1;

  /// What each lane of one warp has put into its element.
  template <class Body>
  std::vector<float> results(warpz_rules chosen, const Body& body) const {
    std::vector<float> output(W, untouched);
    simt::current_settings().rules = chosen;
    run(W, dim3(1), dim3(W), [&] { body(output.data()); });
    return output;
  }
  /// Runs in a process of its own, which has to end with this message.
  template <class Body>
  void stops(warpz_rules chosen, const char* message, const Body& body) const {
    const auto broken = [&] {
      simt::current_settings().rules = chosen;
      std::vector<float> output(W);
      run_broken(W, dim3(W), [&] { body(output.data()); });
    };
    EXPECT_FINDING(broken(), message);
  }
};

INSTANTIATE_TEST_SUITE_P(warp, rules, testing::Values(32U, 64U));

int lane() { return static_cast<int>(__lane_id()); }

/// Both sides of a branch, each with an operation of its own without a mask.
void in_a_branch(float* output) {
  float got = 0;
  if (lane() < 8) {
    got = __shfl(static_cast<float>(lane()), 3);
  } else {
    got = static_cast<float>(__popcll(__ballot(1)));
  }
  output[lane()] = got;
}

TEST_P(rules, without_a_mask_amds_lanes_that_are_there_take_part) {
  const auto got = results(WARPZ_RULES_AMD, in_a_branch);
  EXPECT_EQ(got[0], 3.0F);
  EXPECT_EQ(got[7], 3.0F);
  EXPECT_EQ(got[8], static_cast<float>(W - 8));
  // Each device of 64 lanes is AMD's.
  if (W == 64) {
    EXPECT_EQ(results(WARPZ_RULES_PORTABLE, in_a_branch), got);
  } else {
    stops(WARPZ_RULES_PORTABLE, "that the others never reach .defined on AMD alone: --rules amd.", in_a_branch);
  }
  stops(WARPZ_RULES_NVIDIA, "that the others never reach", in_a_branch);
}

TEST_P(rules, amds_lanes_are_together_again_behind_a_branch_and_a_loop) {
  const auto got = results(WARPZ_RULES_AMD, [](float* output) {
    float sum = 0;
    if (lane() >= 4) sum += static_cast<float>(__popcll(__ballot(1)));
    for (int i = 0; i < lane(); ++i) sum += static_cast<float>(__popcll(__ballot(1))) * 0;
    output[lane()] = sum * 100 + static_cast<float>(__popcll(__ballot(1)));
  });
  EXPECT_EQ(got[0], static_cast<float>(W));
  EXPECT_EQ(got[5], static_cast<float>((W - 4) * 100 + W));
}

/// Lanes that have returned, and a mask or a whole warp that names them.
template <bool masked>
void after_a_return(float* output) {
  if (lane() >= 20) return;
  output[lane()] = masked ? __shfl_sync(~0ull, static_cast<float>(lane()), 19) : __shfl(static_cast<float>(lane()), 19);
}

inline __attribute__((always_inline)) float moved(float value, int bits) { return __shfl_xor(value, bits); }

TEST_P(rules, amds_lanes_are_where_the_compiler_has_put_a_function) {
  const auto got = results(WARPZ_RULES_AMD, [](float* output) {
    auto value = static_cast<float>(lane());
    if (lane() % 4 < 2) value = moved(value, 1);
    output[lane()] = moved(10 * value, 2);
  });
  for (int i = 0; i < static_cast<int>(W); ++i) {
    const int other = i ^ 2;
    EXPECT_EQ(got[static_cast<std::size_t>(i)], static_cast<float>(10 * (other % 4 < 2 ? other ^ 1 : other)));
  }
}

TEST_P(rules, nvidias_lanes_that_have_returned_are_not_waited_for) {
  EXPECT_EQ(results(WARPZ_RULES_NVIDIA, after_a_return<true>)[0], 19.0F);
  EXPECT_EQ(results(WARPZ_RULES_NVIDIA, after_a_return<false>)[0], 19.0F);
  EXPECT_EQ(results(WARPZ_RULES_AMD, after_a_return<false>)[0], 19.0F);
  const char* const returned = "whose mask names lanes that have returned: CUDA allows this, HIP does not";
  stops(WARPZ_RULES_AMD, returned, after_a_return<true>);
  stops(WARPZ_RULES_PORTABLE, returned, after_a_return<true>);
}

TEST_P(rules, nvidias_lanes_may_return_while_others_wait) {
  const auto got = results(WARPZ_RULES_NVIDIA, [](float* output) {
    // The lower lanes wait already when the others return.
    if (lane() >= 20) return;
    const unsigned long long there = __ballot_sync(~0ull, 1);
    output[lane()] = static_cast<float>(__popcll(there));
  });
  EXPECT_EQ(got[0], 20.0F);
  const auto last = results(WARPZ_RULES_NVIDIA, [](float* output) {
    if (lane() < 3) return;
    output[lane()] = static_cast<float>(__popcll(__ballot_sync(~0ull, 1)));
  });
  EXPECT_EQ(last[5], static_cast<float>(W - 3));
}

TEST_P(rules, nvidias_lanes_elsewhere_are_waited_for) {
  stops(WARPZ_RULES_NVIDIA, "named by its mask never reach", [](float*) {
    if (lane() < 8) {
      __ballot_sync(~0ull, 1);
    } else {
      __syncwarp(~0ull << 8);
      __any_sync(~0ull, 1);
    }
  });
}

TEST_P(rules, masks_that_differ_are_wrong_by_all) {
  for (const warpz_rules each : {WARPZ_RULES_PORTABLE, WARPZ_RULES_AMD, WARPZ_RULES_NVIDIA}) {
    stops(each,
          "lanes pass different masks to one operation: CUDA and HIP require one mask from all lanes that it names",
          [](float*) { __ballot_sync(lane() < 16 ? 0x1ffffull : ~0x7fffull, 1); });
  }
}

TEST_P(rules, the_device_librarys_contract_holds_under_all) {
  for (const warpz_rules each : {WARPZ_RULES_AMD, WARPZ_RULES_NVIDIA}) {
    stops(each, "named by its mask never reach", [](float*) {
      if (lane() >= 20) return;
      simt::collect(simt::hip::resolve_present, ~0ull, 0, 0, simt::hip::here("shuffle"));
    });
  }
}

TEST_P(rules, a_mask_of_32_lanes_in_a_warp_of_64) {
  const auto vote = [](float* output) {
    output[lane()] = static_cast<float>(__popcll(__ballot_sync(0xffffffffull, 1)));
  };
  if (W == 32) {
    EXPECT_EQ(results(WARPZ_RULES_PORTABLE, vote)[31], 32.0F);
  } else {
    stops(WARPZ_RULES_NVIDIA, "does not name it: the mask has 32 lanes, the warp has 64", vote);
  }
}

}  // namespace test_rules

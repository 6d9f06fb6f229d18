// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that stop themselves, and what they print.
#undef NDEBUG
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>

#include "hip_kernels.hpp"

namespace test_hip_failures {

using namespace hip_kernels;

HIP_KERNEL_TESTS(hip_failures);
HIP_KERNEL_TESTS(hip_printf);

TEST_P(hip_failures, an_assert_names_the_lane_the_line_and_the_expression) {
  const std::string line = std::to_string(__LINE__ + 1);
  const auto body = [] { assert(rank() != 13 && "unlucky"); };
  EXPECT_FINDING(
      run_broken(W, dim3(2 * W), body),
      "kind 6: .*rank\\(\\) != 13 && \"unlucky\".* does not hold; warp 0 lanes 2000 state 3 assert mask 0 line " +
          line);
}

TEST_P(hip_failures, an_assert_on_the_host_is_the_c_library_s) {
  const bool launched_before = true;
  EXPECT_EXIT(assert(!launched_before), testing::KilledBySignal(SIGABRT),
              ": .*test_hip_failures.cpp:[0-9]+: .*Assertion `!launched_before' failed\\.");
}

TEST_P(hip_failures, a_trap_is_a_finding) {
  EXPECT_FINDING(run_broken(W, dim3(W),
                            [] {
                              if (rank() == 5) __trap();
                            }),
                 "kind 5: .*trap; warp 0 lanes 20 state 3");
}

TEST_P(hip_failures, abort_is_a_finding) {
  EXPECT_FINDING(run_broken(W, dim3(W),
                            [] {
                              if (rank() == 6) abort();
                            }),
                 "kind 5: .*abort\\(\\); warp 0 lanes 40 state 3");
}

TEST_P(hip_printf, writes_whole_lines_to_standard_output) {
  testing::internal::CaptureStdout();
  run(W, dim3(16), dim3(W),
      [] { printf("block %u thread %u: %.3f %s\n", blockIdx.x, threadIdx.x, 0.5 * rank(), "lanes"); });
  std::istringstream lines(testing::internal::GetCapturedStdout());
  unsigned count = 0, sum = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    unsigned block = 0, thread = 0;
    float value = 0;
    char word[8] = "";
    ASSERT_EQ(std::sscanf(line.c_str(), "block %u thread %u: %f %7s", &block, &thread, &value, word), 4) << line;
    EXPECT_EQ(value, 0.5f * static_cast<float>(thread));
    EXPECT_STREQ(word, "lanes");
    sum += block * W + thread;
  }
  EXPECT_EQ(count, 16 * W);
  EXPECT_EQ(sum, 16 * W * (16 * W - 1) / 2);
}

}  // namespace test_hip_failures

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests of HIP's device functions: runs a lambda as a kernel, and expects a finding of one that breaks a rule.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <hip/hip_runtime.h>

#include "simt/machine/machine.hpp"

namespace hip_kernels {

template <class Body>
void call_body(const void* body) {
  (*static_cast<const Body*>(body))();
}

template <class Body>
void run(unsigned warp_size, dim3 grid, dim3 block, const Body& body, std::size_t shared_bytes = 0,
         bool cooperative = false) {
  simt::set_warp_size(warp_size);
  simt::launch_request request{};
  request.name = "kernel";
  request.grid = {grid.x, grid.y, grid.z};
  request.block = {block.x, block.y, block.z};
  request.dynamic_shared_bytes = shared_bytes;
  request.entry = call_body<Body>;
  request.arguments = &body;
  request.cooperative = cooperative;
  if (!simt::launch(request)) std::abort();
}

/// The caller's number in its block.
inline unsigned rank() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }

inline unsigned threads_of(dim3 block) { return block.x * block.y * block.z; }

/// The lanes of warp `warp` in a block of `threads`.
inline unsigned long long lanes_of(unsigned warp_size, unsigned threads, unsigned warp) {
  unsigned long long lanes = 0;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    if (warp * warp_size + lane < threads) lanes |= 1ull << lane;
  }
  return lanes;
}

/// What each thread of a block gets from `each`, by the threads' numbers.
template <class Function>
auto collect_results(unsigned warp_size, dim3 block, const Function& each) {
  std::vector<decltype(each())> results(threads_of(block));
  run(warp_size, dim3(1), block, [&] { results[rank()] = each(); });
  return results;
}

/// Runs a kernel that must not come to its end, and writes the finding to standard error.
template <class Body>
void run_broken(unsigned warp_size, dim3 block, const Body& body) {
  static warpz_finding record;
  const auto print = [](warpz_finding*) {
    std::fprintf(stderr, "kind %u: %s;", record.kind, record.message);
    for (unsigned i = 0; i < record.group_count; ++i) {
      const warpz_lane_group& group = record.groups[i];
      std::fprintf(stderr, " warp %u lanes %llx state %u %s mask %llx line %u;", group.warp,
                   static_cast<unsigned long long>(group.lanes), group.state, group.place.operation,
                   static_cast<unsigned long long>(group.place.mask), group.place.line);
    }
  };
  simt::set_sink({[] { return &record; }, print, nullptr});
  simt::current_settings().timeout_seconds = 0.5;
  run(warp_size, dim3(1), block, body);
  std::fputs("the kernel came to its end\n", stderr);
  std::_Exit(0);
}

/// Tests that are run with either warp size, W.
class both_warp_sizes : public testing::TestWithParam<unsigned> {
 protected:
  both_warp_sizes() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
  const unsigned W = GetParam();
  const unsigned long long all = W == 64 ? ~0ull : (1ull << W) - 1;
};

/// Whole warps, several, partial ones, and three dimensions.
inline std::vector<dim3> blocks(unsigned W) { return {dim3(W), dim3(3 * W), dim3(2 * W + 5), dim3(5, 3, 7), dim3(1)}; }

}  // namespace hip_kernels

#define HIP_KERNEL_TESTS(suite)                         \
  class suite : public hip_kernels::both_warp_sizes {}; \
  INSTANTIATE_TEST_SUITE_P(warp, suite, testing::Values(32U, 64U))

#define EXPECT_FINDING(statement, text) EXPECT_EXIT(statement, testing::ExitedWithCode(simt::stopped_exit_code), text)

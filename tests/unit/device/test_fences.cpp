// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A fence keeps the order of a write and a read. Optimized: what else an unoptimized fence writes would fill a
// processor's store buffer, which is where the order gets lost.
#include <gtest/gtest.h>
#include <hip/hip_runtime.h>

#include <chrono>

#include "test_block_support.hpp"
#include "warpz/sync.hpp"

namespace test_fences {

using blocks::array;

// Two threads each write a word, fence, and read the other's: not both may read what was there before. Without a
// sequentially consistent fence any processor has them do just that, now and then. (Not the threads of one block on the
// CPU machine, where they take turns; that the block's fence is one on GPUs is seen in their code, test_sync_code.py.)

/// Waits until both have come for the `round`-th time.
__device__ void meet(unsigned* arrived, unsigned round) {
  atomicAdd(arrived, 1U);
  while (atomicAdd(arrived, 0U) < 2 * round) {
  }
}

template <warpz::scope reach>
__device__ unsigned store_then_load(volatile unsigned* mine, volatile unsigned* other, unsigned* arrived,
                                    volatile unsigned* seen, unsigned me, unsigned rounds) {
  unsigned both_old = 0;
  for (unsigned round = 1; round <= rounds; ++round) {
    meet(arrived, 2 * round - 1);
    *mine = round;
    warpz::threadfence<reach>();
    seen[me] = *other;
    __threadfence();
    meet(arrived, 2 * round);
    if (seen[0] < round && seen[1] < round) ++both_old;
  }
  return both_old;
}

/// The threads are the first ones of two blocks. Words far apart, so that they lie in different cache lines.
template <warpz::scope reach>
__global__ void two_blocks(unsigned* words, unsigned* both_old, unsigned rounds) {
  if (threadIdx.x != 0) return;
  const unsigned me = blockIdx.x;
  both_old[me] = store_then_load<reach>(words + 64 * me, words + 64 * (1 - me), words + 128, words + 192, me, rounds);
}

constexpr unsigned litmus_rounds = 3000;

/// Twenty launches; fewer where the two blocks seldom have a core each, and wait for each other's time slice to end.
template <class Launch>
void expect_order(const Launch& launch) {
  using clock = std::chrono::steady_clock;
  for (const unsigned W : blocks::warp_sizes()) {
    blocks::use_warp_size(W);
    const auto begin = clock::now();
    for (int turn = 0; turn < 20 && clock::now() - begin < std::chrono::milliseconds(500); ++turn) {
      array<unsigned> words(256), both_old(2, ~0U);
      launch(words.data(), both_old.data());
      blocks::finish();
      for (const unsigned count : both_old.values()) ASSERT_EQ(count, 0U) << W << " lanes";
    }
  }
}

TEST(sync_threadfence, orders_for_the_device) {
  expect_order([](unsigned* words, unsigned* both_old) {
    hipLaunchKernelGGL((two_blocks<warpz::scope::device>), dim3(2), dim3(1), 0, nullptr, words, both_old,
                       litmus_rounds);
  });
}

TEST(sync_threadfence, orders_for_the_system) {
  expect_order([](unsigned* words, unsigned* both_old) {
    hipLaunchKernelGGL((two_blocks<warpz::scope::system>), dim3(2), dim3(1), 0, nullptr, words, both_old,
                       litmus_rounds);
  });
}

}  // namespace test_fences

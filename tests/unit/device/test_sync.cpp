// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers of blocks and warps, fences, and what only AMD's compiler minds.
#include "covers.hpp"
#include "test_block_support.hpp"
#include "warpz/sync.hpp"
#include "warpz/warp.hpp"

namespace test_sync {

using blocks::array;

constexpr unsigned max_threads = 1024;

/// A value for each thread and round that no other has.
__device__ int token_of(unsigned thread, int round) { return static_cast<int>(thread) * 1000 + round; }

struct by_barrier {
  __device__ static void wait() { warpz::barrier(); }
};

struct by_waitcnt_barrier {
  __device__ static void wait() { warpz::waitcnt_barrier<0, warpz::any_count, 0>(); }
};

/// Each thread reads, from shared and from global memory, what another one has just written there.
template <class Barrier>
__global__ void pass_round(int* global, int* wrong, int rounds) {
  __shared__ int shared[max_threads];
  const unsigned i = blocks::rank(), threads = blockDim.x * blockDim.y * blockDim.z;
  int count = 0;
  for (int round = 0; round < rounds; ++round) {
    const unsigned other = (i + static_cast<unsigned>(round) * 17 + threads / 2) % threads;
    shared[i] = token_of(i, round);
    global[i] = token_of(i, -round);
    Barrier::wait();
    if (shared[other] != token_of(other, round)) ++count;
    if (global[other] != token_of(other, -round)) ++count;
    Barrier::wait();
  }
  wrong[i] = count;
}

template <class Barrier>
void check_barrier() {
  for (const unsigned W : blocks::warp_sizes()) {
    blocks::use_warp_size(W);
    for (const dim3& shape : blocks::shapes(W)) {
      const unsigned threads = blocks::threads_of(shape);
      array<int> global(threads), wrong(threads, -1);
      hipLaunchKernelGGL((pass_round<Barrier>), dim3(1), shape, 0, nullptr, global.data(), wrong.data(), 10);
      blocks::finish();
      for (const int count : wrong.values()) ASSERT_EQ(count, 0) << threads << " threads, " << W << " lanes";
    }
  }
}

TEST(sync_barrier, what_was_written_before_it_is_seen_after_it) {
  covers("barrier", blocks::warp_sizes(), "-");
  check_barrier<by_barrier>();
}

TEST(sync_waitcnt_barrier, is_a_barrier_for_the_memory_that_it_is_told_of) {
  covers("waitcnt_barrier", blocks::warp_sizes(), "-");
  check_barrier<by_waitcnt_barrier>();
}

__global__ void pass_within_warps(int* global, int* wrong, int rounds) {
  __shared__ int shared[max_threads];
  const unsigned i = blocks::rank(), threads = blockDim.x;
  const unsigned W = static_cast<unsigned>(warpz::warp::size()), lane = static_cast<unsigned>(warpz::warp::lane_id());
  const unsigned first = i - lane, existing = threads - first < W ? threads - first : W;
  int count = 0;
  for (int round = 0; round < rounds; ++round) {
    const unsigned other = first + (lane + static_cast<unsigned>(round) + 1) % existing;
    if (lane % 2 == 0) {
      shared[i] = token_of(i, round);
      global[i] = token_of(i, -round);
    } else {
      global[i] = token_of(i, -round);
      shared[i] = token_of(i, round);
    }
    warpz::syncwarp();
    if (shared[other] != token_of(other, round)) ++count;
    if (global[other] != token_of(other, -round)) ++count;
    warpz::syncwarp();
  }
  wrong[i] = count;
}

TEST(sync_syncwarp, what_lanes_wrote_before_it_they_see_after_it) {
  covers("syncwarp", blocks::warp_sizes(), "-");
  for (const unsigned W : blocks::warp_sizes()) {
    blocks::use_warp_size(W);
    for (const unsigned threads : {1U, 2U, W - 1, W, W + 1, 2 * W, 5 * W + 3, 1024U}) {
      if (threads > largest_block) continue;
      array<int> global(threads), wrong(threads, -1);
      hipLaunchKernelGGL(pass_within_warps, dim3(1), dim3(threads), 0, nullptr, global.data(), wrong.data(), 70);
      blocks::finish();
      for (const int count : wrong.values()) ASSERT_EQ(count, 0) << threads << " threads, " << W << " lanes";
    }
  }
}

/// The lanes above and below `split` go apart, and each part synchronizes by itself, the upper one more often.
__global__ void pass_within_parts(int* wrong, unsigned split, int rounds) {
  __shared__ int shared[64];
  const unsigned W = static_cast<unsigned>(warpz::warp::size()), lane = static_cast<unsigned>(warpz::warp::lane_id());
  const warpz::lane_mask lower = (warpz::lane_mask{1} << split) - 1;
  int count = 0;
  if (lane < split) {
    for (int round = 0; round < rounds; ++round) {
      const unsigned other = (lane + 1) % split;
      shared[lane] = token_of(lane, round);
      warpz::syncwarp(lower);
      if (shared[other] != token_of(other, round)) ++count;
      warpz::syncwarp(lower);
    }
  } else {
    for (int round = 0; round < 2 * rounds; ++round) {
      const unsigned other = split + (lane - split + 1) % (W - split);
      shared[lane] = token_of(lane, round);
      warpz::syncwarp(~lower);
      if (shared[other] != token_of(other, round)) ++count;
      warpz::syncwarp(~lower);
    }
  }
  wrong[lane] = count;
}

TEST(sync_syncwarp, waits_for_the_lanes_of_its_mask_alone) {
  covers("syncwarp", blocks::warp_sizes(), "-");
  for (const unsigned W : blocks::warp_sizes()) {
    blocks::use_warp_size(W);
    for (const unsigned split : {1U, 7U, W / 2, W - 1}) {
      array<int> wrong(W, -1);
      hipLaunchKernelGGL(pass_within_parts, dim3(1), dim3(W), 0, nullptr, wrong.data(), split, 10);
      blocks::finish();
      for (const int count : wrong.values()) ASSERT_EQ(count, 0) << "split at " << split << " of " << W;
    }
  }
}

// The last block to come adds up what all have written.
__global__ void sum_by_last_block(const int* values, int* partial, unsigned* blocks_done, int* total) {
  __shared__ bool is_last;
  __shared__ int in_block;
  const unsigned i = threadIdx.x, blocks = gridDim.x;
  if (i == 0) in_block = 0;
  warpz::barrier();
  atomicAdd(&in_block, values[blockIdx.x * blockDim.x + i]);
  warpz::barrier();
  if (i == 0) {
    partial[blockIdx.x] = in_block;
    warpz::threadfence();
    is_last = atomicAdd(blocks_done, 1U) == blocks - 1;
  }
  warpz::barrier();
  if (is_last && i == 0) {
    warpz::threadfence();
    int sum = 0;
    for (unsigned each = 0; each < blocks; ++each) sum += static_cast<volatile int*>(partial)[each];
    *total = sum;
  }
}

TEST(sync_threadfence, the_last_block_sums_what_all_have_written) {
  covers("threadfence", blocks::warp_sizes(), "-");
  for (const unsigned W : blocks::warp_sizes()) {
    blocks::use_warp_size(W);
    for (int round = 0; round < 5; ++round) {
      constexpr unsigned grid = 60, threads = 100;
      std::vector<int> values;
      int sum = 0;
      for (unsigned i = 0; i < grid * threads; ++i) {
        values.push_back(static_cast<int>(i * 7 % 101));
        sum += values.back();
      }
      array<int> input(values), partial(grid, -1), total(1, -1);
      array<unsigned> done(1);
      hipLaunchKernelGGL(sum_by_last_block, dim3(grid), dim3(threads), 0, nullptr, input.data(), partial.data(),
                         done.data(), total.data());
      blocks::finish();
      ASSERT_EQ(total.values()[0], sum);
    }
  }
}

// What only limits the compiler, or waits for what is awaited anyway, changes no result.
__global__ void scheduled(const int* values, int* out) {
  __shared__ int shared[256];
  const unsigned i = threadIdx.x;
  const int v = values[i];
  warpz::schedule_barrier();
  shared[i] = v * 3;
  warpz::waitcnt<0>();
  warpz::schedule_barrier<1 | 4>();
  warpz::waitcnt<3, 1, 5>();
  warpz::barrier();
  warpz::schedule_group_barrier<256, 1>();
  warpz::schedule_group_barrier<2, 2, 1>();
  out[i] = shared[255 - i] + v;
  warpz::waitcnt<warpz::any_count, warpz::any_count, 0>();
}

TEST(sync_scheduling, changes_no_result) {
  for (const unsigned W : blocks::warp_sizes()) {
    blocks::use_warp_size(W);
    std::vector<int> values;
    for (int i = 0; i < 256; ++i) values.push_back(i * i);
    array<int> input(values), output(256);
    hipLaunchKernelGGL(scheduled, dim3(1), dim3(256), 0, nullptr, input.data(), output.data());
    blocks::finish();
    const std::vector<int> got = output.values();
    for (unsigned i = 0; i < 256; ++i) ASSERT_EQ(got[i], 3 * values[255 - i] + values[i]);
  }
}

}  // namespace test_sync

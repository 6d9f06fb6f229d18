// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Named barriers: groups of warps that meet by themselves, producers that go on, and blocks that leave a barrier half
// full.
#include "covers.hpp"
#include "test_block_support.hpp"
#include "warpz/sync.hpp"
#include "warpz/warp.hpp"

namespace test_sync_named_barrier {

using blocks::array;

__device__ unsigned warp_lanes() { return static_cast<unsigned>(warpz::warp::size()); }

/// Groups of two warps, each with its own barrier and its own number of rounds.
__global__ void pass_in_pairs(int* wrong, int rounds) {
  __shared__ int shared[1024];
  const unsigned i = threadIdx.x, lanes = warp_lanes(), group = i / (2 * lanes), first = group * 2 * lanes;
  const unsigned threads = blockDim.x - first < 2 * lanes ? blockDim.x - first : 2 * lanes;
  int count = 0;
  for (int round = 0; round < rounds + static_cast<int>(group); ++round) {
    const unsigned other = first + (i - first + lanes) % threads;
    shared[i] = static_cast<int>(i) + 1000 * round;
    warpz::named_barrier(group % 15 + 1, 2 * lanes);
    if (shared[other] != static_cast<int>(other) + 1000 * round) ++count;
    warpz::named_barrier(group % 15 + 1, 2 * lanes);
  }
  wrong[i + blockDim.x * blockIdx.x] = count;
}

TEST(sync_named_barrier, pairs_of_warps_meet_by_themselves) {
  covers("named_barrier", blocks::warp_sizes(), "-");
  for (const unsigned W : blocks::warp_sizes()) {
    blocks::use_warp_size(W);
    // The last one ends within a warp, which counts as a whole.
    for (const unsigned threads : {2 * W, 4 * W, 1024 / (2 * W) % 16 * (2 * W), 2 * W - 3, 3 * W + 5}) {
      if (threads == 0) continue;
      constexpr unsigned grid = 4;
      array<int> wrong(grid * threads, -1);
      hipLaunchKernelGGL(pass_in_pairs, dim3(grid), dim3(threads), 0, nullptr, wrong.data(), 20);
      blocks::finish();
      for (const int each : wrong.values()) ASSERT_EQ(each, 0) << threads << " threads, " << W << " lanes";
    }
  }
}

/// Each number in turn, for the whole block.
__global__ void use_every_id(int* wrong) {
  __shared__ int shared[1024];
  const unsigned i = threadIdx.x, lanes = warp_lanes(), whole = (blockDim.x + lanes - 1) / lanes * lanes;
  int count = 0;
  for (unsigned id = 1; id <= 15; ++id) {
    const unsigned other = blockDim.x - 1 - i;
    shared[i] = static_cast<int>(i + 1000 * id);
    warpz::named_barrier(id, whole);
    if (shared[other] != static_cast<int>(other + 1000 * id)) ++count;
    warpz::barrier();
  }
  wrong[i] = count;
}

TEST(sync_named_barrier, there_are_15) {
  for (const unsigned W : blocks::warp_sizes()) {
    blocks::use_warp_size(W);
    for (const unsigned threads : {W, 3 * W, 1024U, W + 1}) {
      if (threads > largest_block) continue;
      array<int> wrong(threads, -1);
      hipLaunchKernelGGL(use_every_id, dim3(1), dim3(threads), 0, nullptr, wrong.data());
      blocks::finish();
      for (const int each : wrong.values()) ASSERT_EQ(each, 0) << threads << " threads, " << W << " lanes";
    }
  }
}

/// Warps below `producers` fill a buffer, the others read it; two buffers, so that they overlap. `full` and `empty` are
/// two barriers each.
__global__ void produce_and_consume(int* sums, unsigned producers, int rounds) {
  constexpr unsigned full = 1, empty = 3;
  __shared__ int buffers[2][512];
  const unsigned i = threadIdx.x, lanes = warp_lanes(), all = blockDim.x;
  const unsigned produced = producers * lanes, consumers = all - produced;
  if (i < produced) {
    for (int round = 0; round < rounds; ++round) {
      const unsigned which = static_cast<unsigned>(round) % 2;
      warpz::named_barrier(empty + which, all);
      for (unsigned place = i; place < 512; place += produced)
        buffers[which][place] = static_cast<int>(place) * (round + 1);
      warpz::named_barrier_arrive(full + which, all);
    }
    sums[i] = 0;
  } else {
    int sum = 0;
    warpz::named_barrier_arrive(empty, all);
    warpz::named_barrier_arrive(empty + 1, all);
    for (int round = 0; round < rounds; ++round) {
      const unsigned which = static_cast<unsigned>(round) % 2;
      warpz::named_barrier(full + which, all);
      for (unsigned place = i - produced; place < 512; place += consumers) sum += buffers[which][place];
      if (round + 2 < rounds) warpz::named_barrier_arrive(empty + which, all);
    }
    sums[i] = sum;
  }
}

TEST(sync_named_barrier, producers_arrive_and_go_on) {
  covers("named_barrier_arrive", blocks::warp_sizes(), "-");
  for (const unsigned W : blocks::warp_sizes()) {
    blocks::use_warp_size(W);
    for (const unsigned warps : {2U, 3U, 5U, 512 / W}) {
      for (unsigned producers = 1; producers < warps; producers += producers < 3 ? 1 : 4) {
        constexpr int rounds = 12;
        const unsigned threads = warps * W;
        array<int> sums(threads, -1);
        hipLaunchKernelGGL(produce_and_consume, dim3(1), dim3(threads), 0, nullptr, sums.data(), producers, rounds);
        blocks::finish();
        const std::vector<int> got = sums.values();
        const unsigned produced = producers * W, consumers = threads - produced;
        for (unsigned i = 0; i < threads; ++i) {
          int sum = 0;
          if (i >= produced) {
            for (unsigned place = i - produced; place < 512; place += consumers)
              sum += static_cast<int>(place) * rounds * (rounds + 1) / 2;
          }
          ASSERT_EQ(got[i], sum) << warps << " warps of " << W << ", " << producers << " producers, thread " << i;
        }
      }
    }
  }
}

/// The second warp waits for what the first one writes late. Then each barrier is left one arrival short of its end.
__global__ void pass_late(int* out) {
  __shared__ int word[16];
  const unsigned i = threadIdx.x, lanes = warp_lanes();
  for (unsigned id = 1; id <= 15; ++id) {
    if (i < lanes) {
      for (int delay = 0; delay < 20; ++delay) warpz::threadfence<warpz::scope::block>();
      if (i == 0) word[id] = static_cast<int>(id * 100 + blockIdx.x);
      warpz::named_barrier_arrive(id, 2 * lanes);
    } else {
      warpz::named_barrier(id, 2 * lanes);
      if (i == lanes) out[blockIdx.x * 16 + id] = word[id];
    }
  }
  warpz::barrier();
  for (unsigned id = 1; id <= 15; ++id) {
    if (i < lanes) warpz::named_barrier_arrive(id, 2 * lanes);
  }
}

TEST(sync_named_barrier, blocks_begin_with_empty_ones) {
  for (const unsigned W : blocks::warp_sizes()) {
    blocks::use_warp_size(W);
    constexpr unsigned grid = 200;
    array<int> out(16 * grid, -1);
    hipLaunchKernelGGL(pass_late, dim3(grid), dim3(2 * W), 0, nullptr, out.data());
    blocks::finish();
    const std::vector<int> got = out.values();
    for (unsigned b = 0; b < grid; ++b) {
      for (unsigned id = 1; id <= 15; ++id) ASSERT_EQ(got[b * 16 + id], static_cast<int>(id * 100 + b));
    }
  }
}

}  // namespace test_sync_named_barrier

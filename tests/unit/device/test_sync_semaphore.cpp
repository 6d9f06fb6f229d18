// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Semaphores: the order in which blocks hand over, and that each sees all that those before it wrote.
#include "covers.hpp"
#include "test_block_support.hpp"
#include "warpz/sync.hpp"
#include "warpz/warp.hpp"

namespace test_sync_semaphore {

using blocks::array;

/// Plain reads and writes, in an order that shows in the result; the block's last thread is late.
__global__ void in_turn(std::int32_t* lock, int* chain, int* order, int* bad_states, bool from_the_last) {
  const unsigned i = blocks::rank(), threads = blockDim.x * blockDim.y * blockDim.z;
  const int turn = static_cast<int>(from_the_last ? gridDim.x - 1 - blockIdx.x : blockIdx.x);
  warpz::semaphore semaphore(lock);
  int bad = semaphore.state() != -1;
  semaphore.fetch();
  if (i == 0 ? semaphore.state() < 0 || semaphore.state() > turn : semaphore.state() != -1) ++bad;
  semaphore.wait(turn);
  if (semaphore.state() != turn) ++bad;
  for (int delay = 0; i == threads - 1 && delay < 500; ++delay) warpz::threadfence<warpz::scope::block>();
  // Another thread's part of the block before.
  const unsigned other = (i * 7 + 3) % threads;
  const unsigned before = static_cast<unsigned>(chain[turn * static_cast<int>(threads) + static_cast<int>(other)]);
  chain[(turn + 1) * static_cast<int>(threads) + static_cast<int>(i)] =
      static_cast<int>(before * 3 + static_cast<unsigned>(turn));
  if (i == 0) {
    order[order[0] + 1] = turn;
    ++order[0];
  }
  bad_states[turn * static_cast<int>(threads) + static_cast<int>(i)] = bad;
  semaphore.release(turn + 1);
}

TEST(sync_semaphore, blocks_take_their_turns_and_see_what_those_before_wrote) {
  covers("semaphore", blocks::warp_sizes(), "-");
  for (const unsigned W : blocks::warp_sizes()) {
    blocks::use_warp_size(W);
    for (const dim3& shape : {dim3(1), dim3(W), dim3(3 * W + 5), dim3(4, 9, 3)}) {
      for (const bool from_the_last : {false, true}) {
        constexpr unsigned grid = 30;
        const unsigned threads = blocks::threads_of(shape);
        array<std::int32_t> lock(1);
        array<int> chain((grid + 1) * threads, 1), order(grid + 1), bad(grid * threads, -1);
        hipLaunchKernelGGL(in_turn, dim3(grid), shape, 0, nullptr, lock.data(), chain.data(), order.data(), bad.data(),
                           from_the_last);
        blocks::finish();
        ASSERT_EQ(lock.values()[0], static_cast<int>(grid));
        const std::vector<int> turns = order.values(), links = chain.values();
        for (unsigned turn = 0; turn < grid; ++turn) {
          ASSERT_EQ(turns[turn + 1], static_cast<int>(turn));
          for (unsigned i = 0; i < threads; ++i) {
            const unsigned before = static_cast<unsigned>(links[turn * threads + (i * 7 + 3) % threads]);
            ASSERT_EQ(static_cast<unsigned>(links[(turn + 1) * threads + i]), before * 3 + turn);
          }
        }
        for (const int each : bad.values()) ASSERT_EQ(each, 0);
      }
    }
  }
}

/// The default status is 0, for waiting as for releasing.
__global__ void back_and_forth(std::int32_t* lock, int* count, int rounds) {
  warpz::semaphore semaphore(lock);
  for (int round = 0; round < rounds; ++round) {
    if (blockIdx.x == 0) {
      semaphore.wait();
      if (threadIdx.x == 0) *count = *count * 2 + 1;
      semaphore.release(1);
    } else {
      semaphore.wait(1);
      if (threadIdx.x == 0) *count += 3;
      semaphore.release();
    }
  }
}

TEST(sync_semaphore, goes_back_and_forth_between_two_blocks) {
  for (const unsigned W : blocks::warp_sizes()) {
    blocks::use_warp_size(W);
    array<std::int32_t> lock(1);
    array<int> count(1);
    hipLaunchKernelGGL(back_and_forth, dim3(2), dim3(2 * W), 0, nullptr, lock.data(), count.data(), 15);
    blocks::finish();
    int wanted = 0;
    for (int round = 0; round < 15; ++round) wanted = wanted * 2 + 1 + 3;
    ASSERT_EQ(count.values()[0], wanted);
  }
}

/// Each half of a block takes turns with the same half of the other blocks; the halves know nothing of each other. The
/// upper one takes its turns from the last block to the first.
__global__ void halves_in_turn(std::int32_t* locks, int* chains, int* bad_states, unsigned grid) {
  const unsigned i = threadIdx.x, in_half = blockDim.x / 2, half = i / in_half, thread = i % in_half;
  const int turn = static_cast<int>(half == 0 ? blockIdx.x : grid - 1 - blockIdx.x);
  int* const chain = chains + half * (grid + 1) * in_half;
  warpz::named_barrier_semaphore semaphore(locks + 32 * half, thread, in_half, half == 0 ? 1 : 5);
  int bad = semaphore.state() != -1;
  semaphore.wait_eq(0, turn);
  if (semaphore.state() != (thread == 0 ? turn : -1)) ++bad;
  const int before = chain[static_cast<unsigned>(turn) * in_half + (thread * 5 + 1) % in_half];
  chain[static_cast<unsigned>(turn + 1) * in_half + thread] = before * 3 + turn;
  semaphore.arrive_set(1, turn + 1);
  // Nobody goes on before all have had their turns.
  semaphore.wait_lt(2, static_cast<int>(grid));
  if (chain[grid * in_half + thread] == 0) ++bad;
  if (thread == 0 && semaphore.state() != static_cast<int>(grid)) ++bad;
  bad_states[i + blockDim.x * blockIdx.x] = bad;
}

TEST(sync_named_barrier_semaphore, groups_of_a_block_take_turns_independently) {
  covers("named_barrier_semaphore", blocks::warp_sizes(), "-");
  for (const unsigned W : blocks::warp_sizes()) {
    blocks::use_warp_size(W);
    for (const unsigned warps : {1U, 2U, 3U}) {
      constexpr unsigned grid = 8;
      const unsigned in_half = warps * W;
      std::vector<int> first(2 * (grid + 1) * in_half, 0);
      for (unsigned i = 0; i < in_half; ++i) first[i] = first[(grid + 1) * in_half + i] = 1;
      array<std::int32_t> locks(64);
      array<int> chains(first), bad(grid * 2 * in_half, -1);
      hipLaunchKernelGGL(halves_in_turn, dim3(grid), dim3(2 * in_half), 0, nullptr, locks.data(), chains.data(),
                         bad.data(), grid);
      blocks::finish();
      for (const int each : bad.values()) ASSERT_EQ(each, 0) << warps << " warps a group, " << W << " lanes";
      const std::vector<int> links = chains.values();
      for (unsigned half = 0; half < 2; ++half) {
        const int* const chain = links.data() + half * (grid + 1) * in_half;
        for (unsigned turn = 0; turn < grid; ++turn) {
          for (unsigned i = 0; i < in_half; ++i) {
            ASSERT_EQ(chain[(turn + 1) * in_half + i],
                      chain[turn * in_half + (i * 5 + 1) % in_half] * 3 + static_cast<int>(turn));
          }
        }
      }
    }
  }
}

/// A value that was waited for once is looked for anew the next time.
__global__ void groups_back_and_forth(std::int32_t* lock, int* count, int rounds) {
  warpz::named_barrier_semaphore semaphore(lock, threadIdx.x, blockDim.x);
  const int mine = static_cast<int>(blockIdx.x), other = 1 - mine;
  for (int round = 0; round < rounds; ++round) {
    semaphore.wait_eq(0, mine);
    if (threadIdx.x == 0) *count = *count * 2 + mine;
    semaphore.arrive_set(1, other);
  }
}

TEST(sync_named_barrier_semaphore, goes_back_and_forth_between_two_blocks) {
  for (const unsigned W : blocks::warp_sizes()) {
    blocks::use_warp_size(W);
    array<std::int32_t> lock(1);
    array<int> count(1);
    hipLaunchKernelGGL(groups_back_and_forth, dim3(2), dim3(2 * W), 0, nullptr, lock.data(), count.data(), 12);
    blocks::finish();
    int wanted = 0;
    for (int round = 0; round < 12; ++round) wanted = wanted * 4 + 1;
    ASSERT_EQ(count.values()[0], wanted);
  }
}

}  // namespace test_sync_semaphore

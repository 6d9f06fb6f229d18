// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the threads of a block share: coordinates, barriers, shared memory; and what lets a waiting thread go on:
// fences and clocks.
#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <tuple>

#include "hip_kernels.hpp"

namespace test_hip_barriers {

using namespace hip_kernels;

HIP_KERNEL_TESTS(hip_coordinates);
HIP_KERNEL_TESTS(hip_barriers);
HIP_KERNEL_TESTS(hip_shared_memory);
HIP_KERNEL_TESTS(hip_waiting);

// Coordinates.

TEST_P(hip_coordinates, every_thread_of_every_block_is_there_once) {
  // A host function may use the coordinates' names for its own variables.
  const dim3 gridDim(3, 2, 4), blockDim(5, 4, 3);
  using place = std::tuple<unsigned, unsigned, unsigned, unsigned, unsigned, unsigned>;
  std::mutex lock;
  std::set<place> seen;
  std::atomic<int> wrong{0}, calls{0};
  run(W, gridDim, blockDim, [&] {
    ++calls;
    const dim3 grid = ::gridDim, block = ::blockDim;
    if (grid.x != 3 || grid.y != 2 || grid.z != 4 || block.x != 5 || block.y != 4 || block.z != 3) ++wrong;
    __syncthreads();
    const std::lock_guard<std::mutex> hold(lock);
    seen.insert({blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y, threadIdx.z});
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(calls, 24 * 60);
  ASSERT_EQ(seen.size(), 24U * 60U);
  EXPECT_EQ(*seen.rbegin(), place(2, 1, 3, 4, 3, 2));
}

TEST_P(hip_coordinates, stay_with_their_thread_across_a_collective) {
  const auto wrong = collect_results(W, dim3(7, 3, 5), [] {
    int different = 0;
    for (int i = 0; i < 5; ++i) {
      const unsigned x = threadIdx.x, y = threadIdx.y, z = threadIdx.z, thread = rank();
      different += thread % static_cast<unsigned>(warpSize) != __lane_id();
      __syncthreads();
      different += x != threadIdx.x || y != threadIdx.y || z != threadIdx.z;
      __shfl_xor(1, 1);
      different += thread != rank();
      __threadfence();
      different += thread != rank();
    }
    return different;
  });
  EXPECT_EQ(wrong, std::vector<int>(105, 0));
}

TEST_P(hip_coordinates, are_plain_unsigned_and_turn_into_dim3) {
  static_assert(std::is_same_v<decltype(threadIdx.x + 0), unsigned>);
  static_assert(!std::is_assignable_v<decltype((threadIdx.x)), unsigned>);
  static_assert(!std::is_assignable_v<decltype((threadIdx)), dim3>);
  run(W, dim3(1), dim3(2, 3, 4), [] {
    const dim3 thread = threadIdx;
    const dim3 block(blockDim);
    EXPECT_EQ(thread.x + 2 * (thread.y + 3 * thread.z), rank());
    EXPECT_EQ(block.x * 100 + block.y * 10 + block.z, 234U);
    EXPECT_EQ(hipThreadIdx_z, thread.z);
    EXPECT_EQ(hipBlockDim_y + hipGridDim_x + hipBlockIdx_x, 4U);
  });
}

TEST_P(hip_coordinates, the_warp_size_is_that_of_the_running_device) {
  const auto got = collect_results(W, dim3(3), [] { return warpSize; });
  EXPECT_EQ(got, std::vector<int>(3, static_cast<int>(W)));
}

// Barriers.

TEST_P(hip_barriers, order_what_the_threads_write) {
  const dim3 block(9, 5, 4);
  std::vector<unsigned> buffer(180);
  const auto got = collect_results(W, block, [&] {
    unsigned sum = 0;
    for (unsigned round = 0; round < 4; ++round) {
      buffer[rank()] = rank() + round;
      __syncthreads();
      sum += buffer[(rank() + 77) % 180];
      __syncthreads();
    }
    return sum;
  });
  for (unsigned i = 0; i < 180; ++i) EXPECT_EQ(got[i], 4 * ((i + 77) % 180) + 6);
}

TEST_P(hip_barriers, combine_predicates_of_the_whole_block) {
  const unsigned threads = 3 * W + 11;
  for (const unsigned those_below : {0U, 1U, W, threads - 1, threads}) {
    const auto got = collect_results(W, dim3(threads), [&] {
      const int predicate = rank() < those_below ? -8 : 0;
      return std::tuple(__syncthreads_count(predicate), __syncthreads_and(predicate), __syncthreads_or(predicate));
    });
    const std::tuple expected(static_cast<int>(those_below), those_below == threads ? 1 : 0, those_below != 0 ? 1 : 0);
    EXPECT_EQ(got, std::vector(threads, expected)) << those_below;
  }
}

TEST_P(hip_barriers, whole_warps_may_have_returned) {
  std::vector<int> got(3 * W);
  run(W, dim3(1), dim3(3 * W), [&] {
    if (rank() / W == 1) return;
    got[rank()] = __syncthreads_count(1);
  });
  for (unsigned i = 0; i < 3 * W; ++i) EXPECT_EQ(got[i], i / W == 1 ? 0 : static_cast<int>(2 * W));
}

TEST_P(hip_barriers, in_different_branches_are_a_finding) {
  EXPECT_FINDING(run_broken(W, dim3(2 * W),
                            [&] {
                              if (rank() < W) {
                                __syncthreads();
                              } else {
                                __syncthreads_or(1);
                              }
                            }),
                 "kind 2: .*state 1 __syncthreads mask 0 .*state 1 __syncthreads_or ");
}

// Shared memory.

TEST_P(hip_shared_memory, each_block_has_its_own) {
  constexpr unsigned blocks = 8;
  std::vector<unsigned> got(blocks * 64);
  unsigned written = 0;
  run(W, dim3(blocks), dim3(64), [&] {
    __shared__ unsigned tile[64];
    __shared__ unsigned offset;
    if (rank() == 0) offset = 1000 * blockIdx.x;
    tile[rank()] = 64 * blockIdx.x + rank();
    __syncthreads();
    // Nobody reads before all blocks have written.
    if (rank() == 0) atomicAdd(&written, 1);
    while (atomicAdd(&written, 0) != blocks) {
    }
    got[64 * blockIdx.x + rank()] = offset + tile[63 - rank()];
  });
  for (unsigned i = 0; i < blocks * 64; ++i) EXPECT_EQ(got[i], 1000 * (i / 64) + i / 64 * 64 + 63 - i % 64);
}

TEST_P(hip_shared_memory, the_launch_gives_the_dynamic_part) {
  constexpr unsigned blocks = 20, bytes = 128 * sizeof(double);
  std::vector<double> got(blocks * 128);
  run(
      W, dim3(blocks), dim3(128),
      [&] {
        HIP_DYNAMIC_SHARED(double, values)
        HIP_DYNAMIC_SHARED(unsigned char, same_bytes)
        values[rank()] = rank() + 0.5 * blockIdx.x;
        __syncthreads();
        got[128 * blockIdx.x + rank()] = values[(rank() + 1) % 128];
        EXPECT_EQ(static_cast<void*>(values), static_cast<void*>(same_bytes));
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(values) % 16, 0U);
        EXPECT_EQ(__get_dynamicgroupbaseptr(), static_cast<void*>(values));
      },
      bytes);
  for (unsigned i = 0; i < blocks * 128; ++i) EXPECT_EQ(got[i], (i % 128 + 1) % 128 + 0.5 * (i / 128));
}

// Waiting.

TEST_P(hip_waiting, a_fence_lets_the_awaited_thread_run) {
  volatile unsigned turn = 0;
  run(W, dim3(1), dim3(2 * W), [&] {
    const unsigned my_turn = 2 * W - 1 - rank();
    while (turn != my_turn) {
      if (my_turn % 3 == 0) __threadfence();
      if (my_turn % 3 == 1) __threadfence_block();
      if (my_turn % 3 == 2) __threadfence_system();
    }
    turn = my_turn + 1;
  });
  EXPECT_EQ(turn, 2 * W);
}

TEST_P(hip_waiting, a_sleep_lets_the_awaited_thread_run) {
  volatile unsigned turn = 0;
  run(W, dim3(1), dim3(W), [&] {
    const unsigned my_turn = W - 1 - rank();
    while (turn != my_turn) my_turn % 2 == 0 ? __nanosleep(100) : __builtin_amdgcn_s_sleep(1);
    turn = my_turn + 1;
  });
  EXPECT_EQ(turn, W);
}

TEST_P(hip_waiting, clocks_count_nanoseconds_and_let_others_run) {
  std::atomic<unsigned> passed{0};
  std::atomic<long long> wall_time{0};
  const auto begin = std::chrono::steady_clock::now();
  run(W, dim3(1), dim3(W), [&] {
    // In this order, so that any pause between the two makes the wall clock's time longer, never shorter.
    const long long wall = wall_clock64();
    const long long start = clock64();
    // All lanes wait for the last one, which waits for the clocks.
    if (rank() == W - 1) {
      while (clock64() - start < 2'000'000 || __clock64() - start < 2'000'000 || __clock() - start < 2'000'000) {
      }
      wall_time = wall_clock64() - wall;
      ++passed;
    } else {
      while (passed == 0) clock64();
    }
  });
  EXPECT_EQ(passed, 1U);
  EXPECT_GE(wall_time, 2'000'000);
  EXPECT_LE(wall_time, std::chrono::nanoseconds(std::chrono::steady_clock::now() - begin).count());
}

TEST_P(hip_waiting, clock_of_the_c_library_lets_others_run_too) {
  std::atomic<unsigned> passed{0};
  run(W, dim3(1), dim3(W), [&] {
    const clock_t start = clock();
    if (rank() == W - 1) {
      while (clock() - start < 1'000'000) {
      }
      ++passed;
    } else {
      while (passed == 0) static_cast<void>(clock());
    }
  });
  EXPECT_EQ(passed, 1U);
}

TEST_P(hip_waiting, clock_on_the_host_is_the_processor_time) {
  timespec before{}, after{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
  const clock_t got = clock();
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
  const auto ticks = [](const timespec& t) { return t.tv_sec * CLOCKS_PER_SEC + t.tv_nsec / 1000; };
  EXPECT_LE(ticks(before), got);
  EXPECT_GE(ticks(after), got);
}

}  // namespace test_hip_barriers

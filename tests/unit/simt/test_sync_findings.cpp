// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the CPU machine alone does about synchronization: findings where a rule is broken, copies that come as late as
// they may, fences that let others run.
#include <cstdint>

#include "simt/hip_kernels.hpp"
#include "warpz/block.hpp"
#include "warpz/sync.hpp"

namespace test_sync_findings {

using hip_kernels::rank;
using hip_kernels::run;
using hip_kernels::run_broken;

HIP_KERNEL_TESTS(sync_findings);

TEST_P(sync_findings, operations_of_a_block_of_which_a_warp_has_returned) {
  EXPECT_FINDING(run_broken(W, dim3(2 * W),
                            [] {
                              if (rank() < static_cast<unsigned>(warpSize)) warpz::block::sum(1);
                            }),
                 "block::sum: .*all threads of the block take part");
  EXPECT_FINDING(run_broken(W, dim3(2 * W),
                            [] {
                              if (rank() < static_cast<unsigned>(warpSize)) warpz::block::prefix_sum(1);
                            }),
                 "block::prefix_sum: .*all threads of the block take part");
  EXPECT_FINDING(run_broken(W, dim3(2 * W),
                            [] {
                              if (rank() < static_cast<unsigned>(warpSize)) warpz::block::broadcast(1);
                            }),
                 "block::broadcast: .*all threads of the block take part");
}

TEST_P(sync_findings, a_barrier_that_part_of_a_warp_reaches) {
  const auto run_and_end = [&] {
    run_broken(W, dim3(2 * W), [] {
      if (rank() != 5) warpz::barrier();
    });
  };
  EXPECT_EXIT(run_and_end(), testing::ExitedWithCode(0), "part of a warp has returned.*barrier.*came to its end");
}

TEST_P(sync_findings, warps_at_different_operations_of_a_block) {
  EXPECT_FINDING(run_broken(W, dim3(2 * W),
                            [] {
                              if (rank() < static_cast<unsigned>(warpSize)) {
                                warpz::block::sum(1);
                              } else {
                                warpz::block::max(1);
                              }
                            }),
                 "threads of one block wait at different barriers.*block::sum.*block::max");
  EXPECT_FINDING(run_broken(W, dim3(2 * W),
                            [] {
                              if (rank() < static_cast<unsigned>(warpSize)) {
                                warpz::block::broadcast(1);
                              } else {
                                warpz::block::prefix_sum(1);
                              }
                            }),
                 "threads of one block wait at different barriers.*block::broadcast.*block::prefix_sum");
}

TEST_P(sync_findings, lanes_that_miss_an_operation_of_the_block) {
  EXPECT_FINDING(run_broken(W, dim3(2 * W),
                            [] {
                              if (rank() % 2 == 0) warpz::block::min(1);
                            }),
                 "block::min");
}

TEST_P(sync_findings, syncwarp_without_the_caller_in_its_mask) {
  EXPECT_FINDING(run_broken(W, dim3(W), [] { warpz::syncwarp(1); }), "syncwarp");
}

TEST_P(sync_findings, syncwarp_that_a_lane_misses) {
  EXPECT_FINDING(run_broken(W, dim3(W),
                            [] {
                              if (rank() != 3) warpz::syncwarp();
                            }),
                 "syncwarp");
}

TEST_P(sync_findings, named_barriers_that_are_none) {
  const unsigned lanes = W;
  for (const unsigned id : {0U, 16U}) {
    EXPECT_FINDING(run_broken(W, dim3(W), [=] { warpz::named_barrier(id, lanes); }), "a named barrier's id is 1 to 15");
    EXPECT_FINDING(run_broken(W, dim3(W), [=] { warpz::named_barrier_arrive(id, lanes); }),
                   "a named barrier's id is 1 to 15");
  }
  for (const unsigned threads : {0U, W - 1, W + 1}) {
    EXPECT_FINDING(run_broken(W, dim3(W), [=] { warpz::named_barrier(1, threads); }), "whole warps");
  }
}

TEST_P(sync_findings, more_arrivals_than_a_named_barrier_waits_for) {
  const unsigned lanes = W;
  EXPECT_FINDING(run_broken(W, dim3(W),
                            [=] {
                              warpz::named_barrier_arrive(1, 3 * lanes);
                              warpz::named_barrier_arrive(1, 3 * lanes);
                              warpz::named_barrier_arrive(1, lanes);
                            }),
                 "no more threads arrive at a named barrier than it waits for");
}

TEST_P(sync_findings, a_named_barrier_that_nobody_else_comes_to) {
  const unsigned lanes = W;
  EXPECT_FINDING(run_broken(W, dim3(2 * W),
                            [=] {
                              if (rank() < lanes) warpz::named_barrier(1, 2 * lanes);
                            }),
                 "named_barrier");
}

TEST_P(sync_findings, an_mbarrier_of_no_arrivals) {
  EXPECT_FINDING(run_broken(W, dim3(1),
                            [] {
                              __shared__ warpz::mbarrier barrier;
                              barrier.init(0);
                            }),
                 "1 to 1048575 arrivals");
  EXPECT_FINDING(run_broken(W, dim3(1),
                            [] {
                              __shared__ warpz::mbarrier barrier;
                              barrier.init(1 << 20);
                            }),
                 "1 to 1048575 arrivals");
  EXPECT_FINDING(run_broken(W, dim3(1),
                            [] {
                              __shared__ warpz::mbarrier barrier;
                              barrier.init(1);
                              barrier.arrive_expect_tx(1 << 20);
                            }),
                 "at most 1048575 bytes");
}

TEST_P(sync_findings, an_mbarrier_that_waits_for_ever) {
  EXPECT_FINDING(run_broken(W, dim3(W),
                            [] {
                              __shared__ warpz::mbarrier barrier;
                              if (rank() == 0) barrier.init(2);
                              warpz::barrier();
                              const std::uint64_t token = rank() == 0 ? barrier.arrive() : 0;
                              while (rank() == 0 && !barrier.test_wait(token)) {
                              }
                            }),
                 "no progress");
}

TEST_P(sync_findings, a_semaphore_that_nobody_releases) {
  std::int32_t lock = 0;
  EXPECT_FINDING(run_broken(W, dim3(W), [&] { warpz::semaphore(&lock).wait(1); }), "semaphore::wait");
}

TEST_P(sync_findings, bulk_copies_that_the_hardware_refuses) {
  alignas(16) static char source[64], target[64];
  for (const unsigned offset : {1U, 8U}) {
    EXPECT_FINDING(run_broken(W, dim3(1),
                              [=] {
                                __shared__ warpz::mbarrier barrier;
                                warpz::async_bulk_copy(target, source + offset, 16, barrier);
                              }),
                   "multiples of 16");
    EXPECT_FINDING(run_broken(W, dim3(1),
                              [=] {
                                __shared__ warpz::mbarrier barrier;
                                warpz::async_bulk_copy(target + offset, source, 16, barrier);
                              }),
                   "multiples of 16");
    EXPECT_FINDING(run_broken(W, dim3(1), [=] { warpz::async_bulk_store(target, source, 16 + offset); }),
                   "multiples of 16");
  }
}

TEST_P(sync_findings, a_share_of_a_copy_that_is_nobodys) {
  static char source[64], target[64];
  EXPECT_FINDING(run_broken(W, dim3(1), [] { warpz::async_copy(target, source, 16, 4, 4); }),
                 "threads that share the copy");
}

HIP_KERNEL_TESTS(sync_on_the_machine);

TEST_P(sync_on_the_machine, each_fence_lets_others_run) {
  int told = 0;
  run(W, dim3(1), dim3(2), [&] {
    volatile int& flag = told;
    if (rank() == 1) flag = 1;
    while (flag < 1) warpz::threadfence<warpz::scope::block>();
    if (rank() == 1) flag = 2;
    while (flag < 2) warpz::threadfence<warpz::scope::device>();
    if (rank() == 1) flag = 3;
    while (flag < 3) warpz::threadfence<warpz::scope::system>();
  });
  EXPECT_EQ(told, 3);
}

TEST_P(sync_on_the_machine, a_copy_comes_when_it_is_waited_for) {
  std::vector<int> source{1, 2, 3, 4, 5, 6}, seen;
  run(W, dim3(1), dim3(1), [&] {
    __shared__ int target[6];
    for (int& each : target) each = 0;
    const auto look = [&] { seen.insert(seen.end(), target, target + 6); };
    warpz::async_copy(target, source.data(), 2 * sizeof(int));
    warpz::async_copy_wait<0>();
    look();  // in no group yet
    warpz::async_copy_commit();
    look();
    warpz::async_copy(target + 2, source.data() + 2, 2 * sizeof(int));
    warpz::async_copy_commit();
    warpz::async_copy(target + 4, source.data() + 4, 2 * sizeof(int));
    warpz::async_copy_commit();
    warpz::async_copy_wait<2>();
    look();
    warpz::async_copy_wait<1>();
    look();
    warpz::async_copy_wait<0>();
    look();
  });
  const std::vector<int> wanted{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0,
                                0, 0, 0, 1, 2, 3, 4, 0, 0, 1, 2, 3, 4, 5, 6};
  EXPECT_EQ(seen, wanted);
}

TEST_P(sync_on_the_machine, a_bulk_copy_comes_when_its_barrier_is_looked_at_again) {
  alignas(16) static int source[4] = {1, 2, 3, 4}, target[4];
  std::vector<int> seen;
  target[0] = 0;
  run(W, dim3(1), dim3(1), [&] {
    __shared__ warpz::mbarrier barrier, other;
    barrier.init(1);
    other.init(1);
    barrier.arrive_expect_tx(16);
    warpz::async_bulk_copy(target, source, 16, barrier);
    for (int i = 0; i < 3; ++i) seen.push_back(other.try_wait_parity(0));
    seen.push_back(target[0]);
    seen.push_back(barrier.try_wait_parity(0));
    seen.push_back(target[0]);
    seen.push_back(barrier.try_wait_parity(0));
    seen.push_back(target[0]);
  });
  EXPECT_EQ(seen, (std::vector<int>{0, 0, 0, 0, 0, 0, 1, 1}));
}

TEST_P(sync_on_the_machine, a_bulk_store_comes_when_it_is_waited_for) {
  alignas(16) static int source[8] = {1, 1, 1, 1, 2, 2, 2, 2}, target[8];
  for (int& each : target) each = 0;
  std::vector<int> seen;
  run(W, dim3(1), dim3(1), [&] {
    const auto look = [&] { seen.insert(seen.end(), {target[0], target[4]}); };
    warpz::async_bulk_store(target, source, 16);
    warpz::async_bulk_wait<0>();
    look();
    warpz::async_bulk_commit();
    warpz::async_bulk_store(target + 4, source + 4, 16);
    warpz::async_bulk_commit();
    look();
    warpz::async_bulk_wait<1>();
    look();
    warpz::async_bulk_wait<0>();
    look();
  });
  EXPECT_EQ(seen, (std::vector<int>{0, 0, 0, 0, 1, 0, 1, 2}));
}

TEST_P(sync_on_the_machine, copies_that_a_block_left_behind_do_not_come_in_the_next) {
  static int source[1] = {7}, target[1];
  target[0] = 0;
  run(W, dim3(20), dim3(1), [&] {
    warpz::async_copy_wait<0>();
    if (target[0] != 0) std::abort();
    warpz::async_copy(target, source, sizeof(int));
    warpz::async_copy_commit();
  });
  EXPECT_EQ(target[0], 0);
}

}  // namespace test_sync_findings

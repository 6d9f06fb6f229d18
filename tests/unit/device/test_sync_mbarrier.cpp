// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mbarrier: its phases one by one, threads that meet at it, and pipelines of producers and consumers.
#include "covers.hpp"
#include "test_block_support.hpp"
#include "warpz/sync.hpp"
#include "warpz/warp.hpp"

namespace test_sync_mbarrier {

using blocks::array;

/// One thread counts through two phases and writes down what it sees at each step.
__global__ void step_by_step(int* seen, unsigned arrivals) {
  __shared__ warpz::mbarrier barrier;
  barrier.init(arrivals);
  warpz::threadfence<warpz::scope::block>();
  int step = 0;
  const auto look = [&] {
    seen[step++] = barrier.try_wait_parity(0) ? 1 : 0;
    seen[step++] = barrier.try_wait_parity(1) ? 1 : 0;
  };
  look();
  for (int phase = 0; phase < 2; ++phase) {
    std::uint64_t token = 0;
    for (unsigned i = 1; i < arrivals; ++i) token = barrier.arrive();
    look();
    if (arrivals > 1) seen[step] = barrier.test_wait(token) ? 1 : 0;
    ++step;
    const std::uint64_t last = barrier.arrive();
    seen[step++] = barrier.test_wait(last) ? 1 : 0;
    look();
  }
}

TEST(sync_mbarrier, a_phase_is_complete_when_all_arrivals_are_made) {
  for (const unsigned W : blocks::warp_sizes()) {
    blocks::use_warp_size(W);
    for (const unsigned arrivals : {1U, 2U, 3U, 64U, 1000U}) {
      array<int> seen(14, 0);
      hipLaunchKernelGGL(step_by_step, dim3(1), dim3(1), 0, nullptr, seen.data(), arrivals);
      blocks::finish();
      // The phase before the first one counts as complete and has parity 1.
      const std::vector<int> wanted{0, 1, 0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1};
      ASSERT_EQ(seen.values(), wanted) << arrivals << " arrivals";
    }
  }
}

__global__ void one_of_many(int* seen) {
  __shared__ warpz::mbarrier barrier;
  barrier.init(1048575);
  warpz::threadfence<warpz::scope::block>();
  const std::uint64_t token = barrier.arrive();
  seen[0] = barrier.test_wait(token) ? 1 : 0;
  seen[1] = barrier.try_wait_parity(0) ? 1 : 0;
}

TEST(sync_mbarrier, waits_for_up_to_1048575_arrivals) {
  for (const unsigned W : blocks::warp_sizes()) {
    blocks::use_warp_size(W);
    array<int> seen(2, -1);
    hipLaunchKernelGGL(one_of_many, dim3(1), dim3(1), 0, nullptr, seen.data());
    blocks::finish();
    ASSERT_EQ(seen.values(), (std::vector<int>{0, 0}));
  }
}

/// All threads, or one of each warp, arrive; all wait, by their token or by parity. What they read
/// between two barriers nobody writes before the second one.
__global__ void pass_round(int* wrong, int rounds, bool by_warps) {
  __shared__ warpz::mbarrier barriers[2];
  __shared__ int shared[1024];
  const unsigned i = blocks::rank(), threads = blockDim.x * blockDim.y * blockDim.z;
  const unsigned lanes = static_cast<unsigned>(warpz::warp::size()), warps = (threads + lanes - 1) / lanes;
  if (i == 0) {
    barriers[0].init(by_warps ? warps : threads);
    barriers[1].init(by_warps ? warps : threads);
  }
  warpz::barrier();
  int count = 0;
  for (int round = 0; round < rounds; ++round) {
    const unsigned other = (i + threads / 2 + static_cast<unsigned>(round)) % threads;
    shared[i] = static_cast<int>(i) + 1000 * round;
    for (int side = 0; side < 2; ++side) {
      if (by_warps) {
        warpz::syncwarp();
        if (warpz::warp::lane_id() == 0) barriers[side].arrive();
        while (!barriers[side].try_wait_parity(static_cast<unsigned>(round) & 1)) {
        }
      } else {
        const std::uint64_t token = barriers[side].arrive();
        while (!barriers[side].test_wait(token)) {
        }
      }
      if (side == 0 && shared[other] != static_cast<int>(other) + 1000 * round) ++count;
    }
  }
  wrong[i] = count;
}

TEST(sync_mbarrier, threads_meet_phase_after_phase) {
  covers("mbarrier", blocks::warp_sizes(), "-");
  for (const unsigned W : blocks::warp_sizes()) {
    blocks::use_warp_size(W);
    for (const dim3& shape :
         {dim3(1), dim3(5), dim3(W), dim3(W + 1), dim3(3 * W + 5), dim3(5, 3, 7), dim3(largest_block)}) {
      for (const bool by_warps : {false, true}) {
        const unsigned threads = blocks::threads_of(shape);
        array<int> wrong(threads, -1);
        hipLaunchKernelGGL(pass_round, dim3(1), shape, 0, nullptr, wrong.data(), 9, by_warps);
        blocks::finish();
        for (const int each : wrong.values()) ASSERT_EQ(each, 0) << threads << " threads, " << W << " lanes";
      }
    }
  }
}

/// The first warp fills stage after stage, the others add up what is in them; two barriers for each stage.
__global__ void pipeline(int* sums, int rounds) {
  constexpr int stages = 3;
  __shared__ warpz::mbarrier full[stages], empty[stages];
  __shared__ int buffers[stages][128];
  const unsigned i = threadIdx.x, lanes = static_cast<unsigned>(warpz::warp::size()), consumers = blockDim.x - lanes;
  if (i == 0) {
    for (int stage = 0; stage < stages; ++stage) {
      full[stage].init(lanes);
      empty[stage].init(consumers);
    }
  }
  warpz::barrier();
  int sum = 0;
  for (int round = 0; round < rounds; ++round) {
    const int stage = round % stages;
    const unsigned parity = static_cast<unsigned>(round / stages) & 1;
    if (i < lanes) {
      // In the first turn the phase before the first one counts as complete: the stage is empty.
      while (!empty[stage].try_wait_parity(parity ^ 1)) {
      }
      for (unsigned place = i; place < 128; place += lanes) buffers[stage][place] = static_cast<int>(place) + round;
      full[stage].arrive();
    } else {
      while (!full[stage].try_wait_parity(parity)) {
      }
      for (unsigned place = i - lanes; place < 128; place += consumers) sum += buffers[stage][place];
      empty[stage].arrive();
    }
  }
  sums[i] = sum;
}

TEST(sync_mbarrier, producers_and_consumers_of_a_pipeline) {
  for (const unsigned W : blocks::warp_sizes()) {
    blocks::use_warp_size(W);
    for (const unsigned threads : {W + 1, 2 * W, 4 * W, 3 * W + 7}) {
      constexpr int rounds = 25;
      array<int> sums(threads, -1);
      hipLaunchKernelGGL(pipeline, dim3(1), dim3(threads), 0, nullptr, sums.data(), rounds);
      blocks::finish();
      const std::vector<int> got = sums.values();
      const unsigned consumers = threads - W;
      for (unsigned i = 0; i < threads; ++i) {
        int sum = 0;
        if (i >= W) {
          for (unsigned place = i - W; place < 128; place += consumers)
            sum += rounds * static_cast<int>(place) + rounds * (rounds - 1) / 2;
        }
        ASSERT_EQ(got[i], sum) << threads << " threads, " << W << " lanes, thread " << i;
      }
    }
  }
}

// Bytes. One thread looks at each step.
__global__ void bytes_step_by_step(const int* source, int* seen) {
  alignas(16) __shared__ int target[64];
  __shared__ warpz::mbarrier barrier;
  barrier.init(2);
  warpz::threadfence<warpz::scope::block>();
  int step = 0;
  barrier.arrive_expect_tx(128);
  seen[step++] = barrier.try_wait_parity(0) ? 1 : 0;
  barrier.arrive();
  // All arrivals are made, and no byte has come.
  for (int look = 0; look < 3; ++look) seen[step++] = barrier.try_wait_parity(0) ? 1 : 0;
  warpz::async_bulk_copy(target, source, 64, barrier);
  for (int look = 0; look < 3; ++look) seen[step++] = barrier.try_wait_parity(0) ? 1 : 0;
  warpz::async_bulk_copy(target + 16, source + 16, 64, barrier);
  while (!barrier.try_wait_parity(0)) {
  }
  for (int i = 0; i < 32; ++i) seen[step++] = target[i];
  // The other way round: the bytes first, then their announcement.
  warpz::async_bulk_copy(target + 32, source + 32, 112, barrier);
  barrier.arrive();
  seen[step++] = barrier.try_wait_parity(1) ? 1 : 0;
  barrier.arrive_expect_tx(112);
  while (!barrier.try_wait_parity(1)) {
  }
  for (int i = 32; i < 60; ++i) seen[step++] = target[i];
  // No bytes at all.
  barrier.arrive_expect_tx(0);
  const std::uint64_t last = barrier.arrive();
  seen[step++] = barrier.test_wait(last) ? 1 : 0;
}

TEST(sync_mbarrier, a_phase_is_complete_when_the_bytes_that_it_expects_have_come) {
  for (const unsigned W : blocks::warp_sizes()) {
    blocks::use_warp_size(W);
    std::vector<int> values;
    for (int i = 0; i < 64; ++i) values.push_back(i * i + 3);
    std::vector<int> wanted(7, 0);
    wanted.insert(wanted.end(), values.begin(), values.begin() + 32);
    wanted.push_back(0);
    wanted.insert(wanted.end(), values.begin() + 32, values.begin() + 60);
    wanted.push_back(1);
    array<int> source(values), seen(wanted.size(), -1);
    hipLaunchKernelGGL(bytes_step_by_step, dim3(1), dim3(1), 0, nullptr, source.data(), seen.data());
    blocks::finish();
    ASSERT_EQ(seen.values(), wanted);
  }
}

/// One thread has the copies made, all read them; the stage is filled again when all have arrived.
__global__ void bulk_pipeline(const int* source, int* out, int rounds) {
  constexpr int stages = 2;
  constexpr unsigned words = 256;
  alignas(16) __shared__ int buffers[stages][words];
  __shared__ warpz::mbarrier full[stages], empty[stages];
  const unsigned i = threadIdx.x;
  if (i == 0) {
    for (int stage = 0; stage < stages; ++stage) {
      full[stage].init(1);
      empty[stage].init(blockDim.x);
    }
  }
  warpz::barrier();
  const auto begin = [&](int round) {
    const int stage = round % stages;
    while (!empty[stage].try_wait_parity((static_cast<unsigned>(round / stages) & 1) ^ 1)) {
    }
    full[stage].arrive_expect_tx(words * sizeof(int));
    // In two pieces, which one announcement covers.
    const int* const from = source + static_cast<unsigned>(round) * words;
    warpz::async_bulk_copy(buffers[stage], from, words / 2 * sizeof(int), full[stage]);
    warpz::async_bulk_copy(buffers[stage] + words / 2, from + words / 2, words / 2 * sizeof(int), full[stage]);
  };
  if (i == 0) begin(0);
  for (int round = 0; round < rounds; ++round) {
    if (i == 0 && round + 1 < rounds) begin(round + 1);
    const int stage = round % stages;
    while (!full[stage].try_wait_parity(static_cast<unsigned>(round / stages) & 1)) {
    }
    for (unsigned place = i; place < words; place += blockDim.x)
      out[static_cast<unsigned>(round) * words + place] = buffers[stage][words - 1 - place] + 1;
    empty[stage].arrive();
  }
}

TEST(sync_mbarrier, bulk_copies_fill_the_stages_of_a_pipeline) {
  covers("mbarrier async_bulk_copy", blocks::warp_sizes(), "-");
  for (const unsigned W : blocks::warp_sizes()) {
    blocks::use_warp_size(W);
    for (const unsigned threads : {1U, W, 3 * W + 5, 256U}) {
      constexpr int rounds = 11;
      std::vector<int> values, wanted;
      for (int i = 0; i < rounds * 256; ++i) values.push_back(i * 7 + 1);
      for (int i = 0; i < rounds * 256; ++i)
        wanted.push_back(values[static_cast<std::size_t>(i / 256 * 256 + 255 - i % 256)] + 1);
      array<int> source(values), out(values.size(), -1);
      hipLaunchKernelGGL(bulk_pipeline, dim3(1), dim3(threads), 0, nullptr, source.data(), out.data(), rounds);
      blocks::finish();
      ASSERT_EQ(out.values(), wanted) << threads << " threads, " << W << " lanes";
    }
  }
}

TEST(sync_mbarrier, has_one_size_everywhere) { EXPECT_EQ(sizeof(warpz::mbarrier), 16U); }

}  // namespace test_sync_mbarrier

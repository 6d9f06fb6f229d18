// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asynchronous copies: every size and alignment, groups, shares, and the way back to global memory.
#include "covers.hpp"
#include "test_block_support.hpp"
#include "warpz/sync.hpp"
#include "warpz/warp.hpp"

namespace test_sync_copies {

using blocks::array;

constexpr unsigned room = 5000;

struct task {
  unsigned bytes, source_offset, target_offset;
  bool by_one_warp;
};

/// Copies into shared memory, and from there to `out` byte by byte.
__global__ void copy_in(const unsigned char* source, unsigned char* out, task copied) {
  alignas(16) __shared__ unsigned char target[room];
  const unsigned i = blocks::rank(), threads = blockDim.x * blockDim.y * blockDim.z;
  for (unsigned place = i; place < room; place += threads) target[place] = 0xcd;
  warpz::barrier();
  if (!copied.by_one_warp) {
    warpz::async_copy(target + copied.target_offset, source + copied.source_offset, copied.bytes);
  } else if (i < static_cast<unsigned>(warpz::warp::size())) {
    warpz::async_copy(target + copied.target_offset, source + copied.source_offset, copied.bytes, i,
                      static_cast<unsigned>(warpz::warp::size()));
  }
  warpz::async_copy_commit();
  warpz::async_copy_wait<0>();
  warpz::barrier();
  for (unsigned place = i; place < room; place += threads) out[place] = target[place];
}

TEST(sync_async_copy, of_every_size_from_any_address_to_any) {
  covers("async_copy", blocks::warp_sizes(), "-");
  std::vector<unsigned char> values(room);
  for (unsigned i = 0; i < room; ++i) values[i] = static_cast<unsigned char>(i * 31 + i / 256);
  for (const unsigned W : blocks::warp_sizes()) {
    blocks::use_warp_size(W);
    array<unsigned char> source(values);
    for (const dim3& shape : {dim3(1), dim3(W), dim3(W + 3), dim3(4, 5, 7), dim3(256)}) {
      for (const unsigned bytes : {0U, 1U, 3U, 4U, 7U, 8U, 15U, 16U, 17U, 31U, 64U, 100U, 1000U, 4096U, 4099U}) {
        for (const unsigned offset : {0U, 1U, 4U, 8U, 16U}) {
          for (const bool by_one_warp : {false, true}) {
            if (by_one_warp && blocks::threads_of(shape) < W) continue;
            const task copied{bytes, offset, (offset * 3 + (bytes % 2 == 0 ? 0 : 2)) % 64, by_one_warp};
            array<unsigned char> out(room);
            hipLaunchKernelGGL(copy_in, dim3(1), shape, 0, nullptr, source.data(), out.data(), copied);
            blocks::finish();
            std::vector<unsigned char> wanted(room, 0xcd);
            for (unsigned i = 0; i < bytes; ++i) wanted[copied.target_offset + i] = values[copied.source_offset + i];
            ASSERT_EQ(out.values(), wanted) << bytes << " bytes from " << copied.source_offset << " to "
                                            << copied.target_offset << ", " << blocks::threads_of(shape) << " threads";
          }
        }
      }
    }
  }
}

/// Stages of a pipeline, two ahead of their use.
__global__ void staged(const int* source, int* out, int rounds) {
  constexpr int stages = 3;
  constexpr unsigned words = 320;
  alignas(16) __shared__ int buffers[stages][words];
  const auto begin = [&](int round) {
    if (round < rounds)
      warpz::async_copy(buffers[round % stages], source + static_cast<unsigned>(round) * words, sizeof buffers[0]);
    // A group without a copy at the end keeps their number right.
    warpz::async_copy_commit();
  };
  begin(0);
  begin(1);
  for (int round = 0; round < rounds; ++round) {
    begin(round + 2);
    warpz::async_copy_wait<2>();
    warpz::barrier();
    for (unsigned place = threadIdx.x; place < words; place += blockDim.x)
      out[static_cast<unsigned>(round) * words + place] = buffers[round % stages][words - 1 - place];
    warpz::barrier();
  }
}

TEST(sync_async_copy, groups_complete_in_their_order) {
  covers("async_copy async_copy_commit async_copy_wait", blocks::warp_sizes(), "-");
  for (const unsigned W : blocks::warp_sizes()) {
    blocks::use_warp_size(W);
    for (const unsigned threads : {1U, W, 2 * W + 5, 320U, 1024U}) {
      if (threads > largest_block) continue;
      constexpr int rounds = 9, words = 320;
      std::vector<int> values, wanted;
      for (int i = 0; i < rounds * words; ++i) values.push_back(i * 3 + 1);
      for (int i = 0; i < rounds * words; ++i)
        wanted.push_back(values[static_cast<std::size_t>(i / words * words + words - 1 - i % words)]);
      array<int> source(values), out(values.size(), -1);
      hipLaunchKernelGGL(staged, dim3(1), dim3(threads), 0, nullptr, source.data(), out.data(), rounds);
      blocks::finish();
      ASSERT_EQ(out.values(), wanted) << threads << " threads, " << W << " lanes";
    }
  }
}

/// Each of several groups of bulk stores; the buffer of a group is filled anew when all but the newest are complete.
__global__ void store_out(int* out, int rounds) {
  constexpr unsigned words = 128;
  alignas(16) __shared__ int buffers[2][words];
  for (int round = 0; round < rounds; ++round) {
    int* const buffer = buffers[round % 2];
    for (unsigned place = threadIdx.x; place < words; place += blockDim.x)
      buffer[place] = round * 1000 + static_cast<int>(place);
    warpz::barrier();
    if (threadIdx.x == 0) {
      warpz::async_bulk_store(out + static_cast<unsigned>(round) * words, buffer, words * sizeof(int));
      warpz::async_bulk_commit();
      warpz::async_bulk_wait<1>();
    }
    warpz::barrier();
  }
  if (threadIdx.x == 0) warpz::async_bulk_wait<0>();
}

TEST(sync_async_bulk_store, writes_to_global_memory_group_by_group) {
  covers("async_bulk_store", blocks::warp_sizes(), "-");
  for (const unsigned W : blocks::warp_sizes()) {
    blocks::use_warp_size(W);
    for (const unsigned threads : {1U, W, 3 * W + 1}) {
      constexpr int rounds = 7, words = 128;
      std::vector<int> wanted;
      for (int i = 0; i < rounds * words; ++i) wanted.push_back(i / words * 1000 + i % words);
      array<int> out(wanted.size(), -1);
      hipLaunchKernelGGL(store_out, dim3(1), dim3(threads), 0, nullptr, out.data(), rounds);
      blocks::finish();
      ASSERT_EQ(out.values(), wanted) << threads << " threads, " << W << " lanes";
    }
  }
}

}  // namespace test_sync_copies

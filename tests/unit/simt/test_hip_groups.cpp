// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cooperative groups: ranks, sizes, and collectives that concern the group's own threads only.
#include <algorithm>
#include <atomic>
#include <vector>

#include <hip/hip_cooperative_groups.h>

#include "hip_kernels.hpp"

namespace test_hip_groups {

using namespace hip_kernels;
namespace cg = cooperative_groups;
using bits = unsigned long long;

HIP_KERNEL_TESTS(hip_block_group);
HIP_KERNEL_TESTS(hip_tiles);
HIP_KERNEL_TESTS(hip_coalesced);
HIP_KERNEL_TESTS(hip_grid_group);

using numbers = std::vector<long long>;

// The block.

TEST_P(hip_block_group, knows_its_shape_and_synchronizes) {
  const dim3 block(5, 3, 4);
  std::vector<unsigned> buffer(60);
  const auto got = collect_results(W, block, [&] {
    const cg::thread_block all = cg::this_thread_block();
    buffer[all.thread_rank()] = all.thread_rank() + 1;
    all.sync();
    const unsigned other = buffer[59 - all.thread_rank()];
    cg::sync(all);
    buffer[all.thread_rank()] = 0;
    const cg::thread_group any = all;
    any.sync();
    const dim3 thread = all.thread_index(), shape = all.group_dim(), place = all.group_index();
    return numbers{other,
                   all.size(),
                   any.size(),
                   any.thread_rank(),
                   cg::thread_rank(all),
                   cg::group_size(any),
                   thread.x + 5 * (thread.y + 3 * thread.z),
                   shape.x * shape.y * shape.z,
                   place.x + place.y + place.z,
                   any.is_valid(),
                   all.num_threads()};
  });
  for (unsigned i = 0; i < 60; ++i) EXPECT_EQ(got[i], (numbers{60 - i, 60, 60, i, i, 60, i, 60, 0, 1, 60}));
}

TEST_P(hip_block_group, a_thread_that_misses_its_barrier_is_a_finding) {
  EXPECT_FINDING(run_broken(W, dim3(W),
                            [] {
                              if (rank() != 0) {
                                cg::this_thread_block().sync();
                              } else {
                                __syncthreads();
                              }
                            }),
                 "kind 2: .*state 1 thread_block::sync");
}

// Tiles.

template <unsigned size>
void check_tiles(unsigned W) {
  for (const dim3 block : {dim3(2 * W), dim3(4, 8, 4), dim3(W / 2, 2)}) {
    const unsigned threads = threads_of(block);
    const auto got = collect_results(W, block, [] {
      const auto tile = cg::tiled_partition<size>(cg::this_thread_block());
      static_assert(decltype(tile)::size() == size);
      const int value = static_cast<int>(rank() * rank());
      int all_same = -1, not_same = -1;
      const bits matching = tile.match_all(tile.meta_group_rank(), all_same);
      const bits differing = tile.match_all(static_cast<int>(tile.thread_rank() == 0), not_same);
      return numbers{tile.thread_rank(),
                     tile.meta_group_rank(),
                     tile.meta_group_size(),
                     tile.shfl(value, 1),
                     tile.shfl(value, -1),
                     tile.shfl_up(value, 1),
                     tile.shfl_down(value, 3),
                     tile.shfl_xor(value, size / 2),
                     tile.any(rank() == 6),
                     tile.all(rank() < 40),
                     static_cast<long long>(tile.ballot(rank() % 3 == 0)),
                     static_cast<long long>(tile.match_any(rank() % 2)),
                     static_cast<long long>(matching),
                     all_same,
                     static_cast<long long>(differing),
                     not_same};
    });
    for (unsigned i = 0; i < threads; ++i) {
      const unsigned base = i / size * size;
      const auto square = [&](unsigned in_tile) { return static_cast<long long>(base + in_tile) * (base + in_tile); };
      const unsigned self = i % size;
      bool any = false, all = true;
      bits ballot = 0, even = 0, everyone = 0;
      for (unsigned j = 0; j < size; ++j) {
        any = any || base + j == 6;
        all = all && base + j < 40;
        ballot |= bits{(base + j) % 3 == 0} << j;
        even |= bits{(base + j) % 2 == i % 2} << j;
        everyone |= bits{1} << j;
      }
      const bool alone = size == 1;
      EXPECT_EQ(got[i], (numbers{self, i / size, threads / size, square(1 % size), square(size - 1),
                                 square(self > 0 ? self - 1 : 0), square(self + 3 < size ? self + 3 : self),
                                 square(self ^ size / 2), any, all, static_cast<long long>(ballot),
                                 static_cast<long long>(even), static_cast<long long>(everyone), 1,
                                 static_cast<long long>(alone ? everyone : 0), alone}))
          << "thread " << i << " tile of " << size;
    }
  }
}

TEST_P(hip_tiles, of_every_size_talk_among_themselves) {
  check_tiles<1>(W);
  check_tiles<2>(W);
  check_tiles<4>(W);
  check_tiles<8>(W);
  check_tiles<16>(W);
  check_tiles<32>(W);
  if (W == 64) check_tiles<64>(W);
}

TEST_P(hip_tiles, may_be_at_different_places) {
  const auto got = collect_results(W, dim3(2 * W), [] {
    const cg::thread_block_tile<8> tile = cg::tiled_partition<8>(cg::this_thread_block());
    int sum = 0;
    // Each tile goes another number of rounds, and every other one another way.
    for (unsigned round = 0; round <= tile.meta_group_rank(); ++round) {
      if (tile.meta_group_rank() % 2 == 0) {
        sum += tile.shfl(static_cast<int>(tile.thread_rank()) + 1, static_cast<int>(round));
        tile.sync();
      } else {
        sum += tile.shfl_xor(1, 4);
      }
    }
    return sum;
  });
  for (unsigned i = 0; i < 2 * W; ++i) {
    int expected = 0;
    for (unsigned round = 0; round <= i / 8; ++round) expected += i / 8 % 2 == 0 ? static_cast<int>(round % 8) + 1 : 1;
    EXPECT_EQ(got[i], expected) << i;
  }
}

template <unsigned size>
int sum_of(const cg::thread_block_tile<size>& tile, int value) {
  for (unsigned step = tile.size() / 2; step > 0; step /= 2) value += tile.shfl_xor(value, step);
  return value;
}

TEST_P(hip_tiles, of_tiles_and_as_parameters) {
  const auto got = collect_results(W, dim3(W), [] {
    const auto outer = cg::tiled_partition<16>(cg::this_thread_block());
    const auto inner = cg::tiled_partition<4>(outer);
    return numbers{sum_of<16>(outer, 1), sum_of<4>(inner, static_cast<int>(rank())), inner.meta_group_rank(),
                   inner.meta_group_size(), inner.thread_rank()};
  });
  for (unsigned i = 0; i < W; ++i) EXPECT_EQ(got[i], (numbers{16, 4 * (i / 4 * 4) + 6, i / 4 % 4, 4, i % 4}));
}

TEST_P(hip_tiles, of_a_size_known_when_the_kernel_runs) {
  // The last tile of a block is cut short.
  const unsigned threads = W + 13;
  for (unsigned size = 1; size <= W; size *= 2) {
    const auto got = collect_results(W, dim3(threads), [&] {
      const cg::thread_group tile = cg::tiled_partition(cg::this_thread_block(), size);
      tile.sync();
      return numbers{tile.size(), tile.thread_rank(), tile.is_valid()};
    });
    for (unsigned i = 0; i < threads; ++i) {
      const unsigned base = i / size * size;
      EXPECT_EQ(got[i], (numbers{std::min(size, threads - base), i - base, 1})) << i << " of " << size;
    }
  }
}

TEST_P(hip_tiles, cut_short_by_the_block_still_vote) {
  const auto got = collect_results(W, dim3(11), [] {
    const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    return tile.ballot(1) + 1000 * static_cast<bits>(tile.all(1));
  });
  for (unsigned i = 0; i < 11; ++i) EXPECT_EQ(got[i], 1000 + (i < 8 ? 0xffu : 7u));
}

TEST_P(hip_tiles, a_member_that_stays_away_is_a_finding) {
  EXPECT_FINDING(run_broken(W, dim3(W),
                            [] {
                              const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
                              if (rank() != 9) tile.shfl_down(1, 1);
                            }),
                 "kind 1: .*lanes fd00 state 1 thread_block_tile::shfl_down mask ff00 ");
}

TEST_P(hip_tiles, of_impossible_sizes_are_findings) {
  EXPECT_FINDING(run_broken(W, dim3(W), [] { cg::tiled_partition(cg::this_thread_block(), 3); }),
                 "kind 6: tiled_partition: .*power of two.* state 3 assert");
  EXPECT_FINDING(run_broken(W, dim3(W), [] { cg::tiled_partition(cg::this_thread_block(), 128); }),
                 "kind 6: tiled_partition: .*at most warpSize");
  EXPECT_FINDING(
      run_broken(W, dim3(W), [] { cg::tiled_partition<8>(cg::tiled_partition<4>(cg::this_thread_block())); }),
      "kind 6: tiled_partition: .*no larger than its parent");
}

TEST(hip_tiles_of_64, need_64_lanes) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_FINDING(run_broken(32, dim3(64), [] { cg::tiled_partition<64>(cg::this_thread_block()).sync(); }),
                 "kind 6: tiled_partition: .*at most warpSize");
}

// Coalesced groups.

TEST_P(hip_coalesced, number_the_active_lanes) {
  const auto got = collect_results(W, dim3(W + 9), [] {
    numbers results;
    if (__lane_id() % 3 == 1) {
      const cg::coalesced_group group = cg::coalesced_threads();
      const int value = static_cast<int>(__lane_id());
      int same = -1;
      const bits everyone = group.match_all(5, same);
      results = {group.size(),
                 group.thread_rank(),
                 group.shfl(value, 2),
                 group.shfl(value, -1),
                 group.shfl_up(value, 1),
                 group.shfl_down(value, 2),
                 group.any(value == 4),
                 group.all(value < 8),
                 static_cast<long long>(group.ballot(value > 4)),
                 static_cast<long long>(group.match_any(value % 2)),
                 static_cast<long long>(everyone),
                 same,
                 group.meta_group_rank(),
                 group.meta_group_size()};
      group.sync();
    }
    return results;
  });
  for (unsigned i = 0; i < W + 9; ++i) {
    const unsigned lane = i % W, lanes_here = i < W ? W : 9;
    if (lane % 3 != 1) {
      EXPECT_TRUE(got[i].empty());
      continue;
    }
    numbers members;
    for (unsigned other = 1; other < lanes_here; other += 3) members.push_back(other);
    const long long n = static_cast<long long>(members.size()), self = lane / 3;
    bits above = 0, parity = 0;
    bool any = false, all = true;
    for (unsigned j = 0; j < members.size(); ++j) {
      above |= bits{members[j] > 4} << j;
      parity |= bits{members[j] % 2 == lane % 2} << j;
      any = any || members[j] == 4;
      all = all && members[j] < 8;
    }
    const auto value = [&](long long rank) { return members[static_cast<std::size_t>(rank)]; };
    EXPECT_EQ(got[i], (numbers{n, self, value(2 % n), value(n - 1), value(self > 0 ? self - 1 : 0),
                               value(self + 2 < n ? self + 2 : self), any, all, static_cast<long long>(above),
                               static_cast<long long>(parity), (1ll << n) - 1, 1, 0, 1}))
        << i;
  }
}

TEST_P(hip_coalesced, are_divided_into_tiles_of_ranks) {
  const auto got = collect_results(W, dim3(W), [] {
    if (__lane_id() < 3) return numbers{};
    const cg::coalesced_group group = cg::coalesced_threads();
    const cg::coalesced_group part = cg::tiled_partition(group, 4);
    return numbers{part.size(), part.thread_rank(), part.meta_group_rank(), part.meta_group_size(),
                   part.shfl(static_cast<int>(__lane_id()), 0)};
  });
  const unsigned members = W - 3;
  for (unsigned lane = 3; lane < W; ++lane) {
    const unsigned rank_in_group = lane - 3, part = rank_in_group / 4;
    EXPECT_EQ(got[lane],
              (numbers{std::min(4u, members - 4 * part), rank_in_group % 4, part, (members + 3) / 4, 3 + 4 * part}));
  }
}

TEST_P(hip_coalesced, come_from_a_binary_partition) {
  const auto got = collect_results(W, dim3(W + 5), [] {
    const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    const bool in = rank() % 8 < 3;
    const cg::coalesced_group part = cg::binary_partition(tile, in);
    const cg::coalesced_group smaller = cg::binary_partition(part, part.thread_rank() == 0);
    return numbers{part.size(), part.thread_rank(), part.shfl(static_cast<int>(rank()), 0), smaller.size(),
                   smaller.thread_rank()};
  });
  for (unsigned i = 0; i < W + 5; ++i) {
    const unsigned base = i / 8 * 8, here = std::min(8u, W + 5 - base);
    const unsigned first = i % 8 < 3 ? 0 : 3, size = i % 8 < 3 ? std::min(3u, here) : here - 3, self = i % 8 - first;
    EXPECT_EQ(got[i], (numbers{size, self, base + first, self == 0 ? 1 : size - 1, self == 0 ? 0 : self - 1})) << i;
  }
}

TEST_P(hip_coalesced, a_member_that_stays_away_is_a_finding) {
  EXPECT_FINDING(run_broken(W, dim3(W),
                            [] {
                              const cg::coalesced_group group = cg::coalesced_threads();
                              if (rank() != 2) group.ballot(1);
                            }),
                 "kind 1: .*state 1 coalesced_group::ballot");
}

TEST_P(hip_coalesced, one_thread_is_a_group) {
  run(W, dim3(1), dim3(W), [] {
    const cg::thread_group me = cg::this_thread();
    if (rank() % 2 == 0) me.sync();
    EXPECT_EQ(me.size(), 1U);
    EXPECT_EQ(me.thread_rank(), 0U);
  });
}

// The grid.

TEST_P(hip_grid_group, numbers_all_threads) {
  std::vector<unsigned> seen(3 * 2 * 2 * 30);
  run(W, dim3(3, 2, 2), dim3(5, 6), [&] {
    const cg::grid_group grid = cg::this_grid();
    EXPECT_EQ(grid.size(), 360U);
    EXPECT_EQ(grid.thread_rank(), grid.block_rank() * 30 + rank());
    EXPECT_FALSE(grid.is_valid());
    seen[grid.thread_rank()] = 1;
  });
  EXPECT_EQ(seen, std::vector<unsigned>(360, 1));
}

TEST_P(hip_grid_group, synchronizes_a_cooperative_launch) {
  constexpr unsigned blocks = 12;
  const unsigned threads = W + 3, all = blocks * threads;
  std::vector<unsigned> buffer(all);
  std::atomic<unsigned> wrong{0};
  run(
      W, dim3(blocks), dim3(threads),
      [&] {
        const cg::grid_group grid = cg::this_grid();
        if (!grid.is_valid()) ++wrong;
        for (unsigned round = 1; round < 5; ++round) {
          buffer[grid.thread_rank()] = grid.thread_rank() * round;
          grid.sync();
          const unsigned other = (grid.thread_rank() + 5 * threads + 1) % all;
          if (buffer[other] != other * round) ++wrong;
          cg::sync(grid);
        }
      },
      0, true);
  EXPECT_EQ(wrong, 0U);
}

TEST_P(hip_grid_group, of_an_ordinary_launch_does_not_synchronize) {
  EXPECT_FINDING(run_broken(W, dim3(W), [] { cg::this_grid().sync(); }),
                 "kind 6: grid_group::sync: .*cooperative.*does not hold");
}

}  // namespace test_hip_groups

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How blocks learn the sum of the tiles before theirs, with tiles of one value each, so that there are enough of them:
// several groups and supergroups, whose places the tiles' own lengths would put far beyond a test's arrays.
#include <cstdint>
#include <vector>

#include "test_block_support.hpp"
#include "warpz/device.hpp"

namespace test_look_back {

using blocks::array;
namespace detail = warpz::detail;
namespace device = warpz::device;

template <class T>
__host__ __device__ T value_of(unsigned tile) {
  return static_cast<T>((tile + 1) * 2654435761U % 1000) - 300;
}

/// The sum before each tile, as each warp of its block has it.
template <class T>
__global__ void __launch_bounds__(device::block_threads)
    sums_before(T* sums, unsigned* state, std::size_t tiles, T start) {
  const detail::site at = detail::here("look back");
  auto* const counters = reinterpret_cast<detail::device_counters*>(state);
  const unsigned warps = detail::warps_in_tile();
  detail::ticket_drawer tickets(counters);
  for (detail::ticket tile = tickets.drawn(at); tile.number < tiles; tile = tickets.drawn(at)) {
    const T own = value_of<T>(tile.number);
    detail::look_back<T> back(detail::device_board<T>(counters + 1), tiles, tile.number, tile.launch);
    back.publish(own, at);
    back.ask(start, at);
    back.wait(own, at);
    detail::block_barrier(at);
    const T before = back.before(own, at);
    if (warpz::warp::lane_id() == 0) sums[tile.number * warps + detail::warp_in_tile()] = before;
    tickets.draw();
  }
  tickets.finish(tiles);
}

template <class T>
void expect_sums(unsigned W, std::size_t tiles, unsigned grid, array<unsigned>& state) {
  const unsigned warps = device::block_threads / W;
  const T start = 7;
  array<T> sums(tiles * warps, T{99});
  hipLaunchKernelGGL(sums_before<T>, dim3(grid), dim3(device::block_threads), 0, nullptr, sums.data(), state.data(),
                     tiles, start);
  blocks::finish();
  const std::vector<T> found = sums.values();
  T expected = start;
  for (std::size_t tile = 0; tile < tiles; ++tile) {
    for (unsigned warp = 0; warp < warps; ++warp) {
      ASSERT_EQ(found[tile * warps + warp], expected) << "tile " << tile << " of " << tiles << ", warp " << warp;
    }
    expected += value_of<T>(static_cast<unsigned>(tile));
  }
}

template <class T>
void expect_all_sums() {
  for (const unsigned W : blocks::warp_sizes()) {
    blocks::use_warp_size(W);
    const std::size_t group = W, supergroup = group * W;
    // In the launches after the first one, groups' sums lie where tiles did, and what was there is of another launch.
    const std::size_t most = 2 * supergroup + 9 * group;
    array<unsigned> state(detail::counter_words + detail::published_values(most) * detail::published_words<T>);
    for (const std::size_t tiles : {2 * supergroup + 3 * group + 5, group + 1, std::size_t{1}, most}) {
      const bool is_large = tiles > supergroup;
      for (const unsigned grid : is_large ? std::vector{3U} : std::vector{1U, 40U}) {
        expect_sums<T>(W, tiles, grid, state);
      }
    }
  }
}

TEST(look_back, integers) { expect_all_sums<int>(); }

/// In two words; these sums are exact.
TEST(look_back, doubles) { expect_all_sums<double>(); }

}  // namespace test_look_back

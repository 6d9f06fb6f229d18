// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operations of warpz/device.hpp on arrays around the lengths where something changes, by few blocks and by many,
// against plain loops.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "covers.hpp"
#include "exact_numbers.hpp"
#include "test_block_support.hpp"
#include "whole_arrays.hpp"

namespace test_device_wide {

using blocks::array;
using namespace whole_arrays;
using exact_numbers::added;
using exact_numbers::numbers;

/// Around an access, a warp's row, a tile and a group of 32 tiles.
std::vector<std::size_t> sizes(std::size_t tile) {
  return {1, 2, 3, 5, 127, 257, tile - 1, tile, tile + 1, 33 * tile + 7};
}

/// As many blocks as are of use, one, and more than there are tiles.
std::vector<unsigned> grids(unsigned of_use) { return {of_use, 1, of_use + 3}; }

template <class T>
class device_wide : public testing::Test {};
using types = types_to_test<testing::Types<int, unsigned, long long, float, double>, testing::Types<int, double>>;
TYPED_TEST_SUITE(device_wide, types, );

TYPED_TEST(device_wide, reductions) {
  using T = TypeParam;
  covers("device::sum device::max device::min", blocks::warp_sizes());
  for (const unsigned W : blocks::warp_sizes()) {
    blocks::use_warp_size(W);
    for (const std::size_t size : sizes(warpz::detail::tile_elements<T, warpz::detail::reduce_rows>)) {
      const std::vector<T> x = numbers<T>(size);
      T sum = 0, greatest = x[0], least = x[0];
      for (const T each : x) {
        sum = added(sum, each);
        greatest = std::max(greatest, each);
        least = std::min(least, each);
      }
      // Not cleared between launches.
      array<unsigned> one(device::reduce_state<T>(size)), two(device::reduce_state<T>(size)),
          three(device::reduce_state<T>(size));
      for (const unsigned grid : grids(device::reduce_blocks<T>(size))) {
        array<T> input(x), output(3, T{99});
        hipLaunchKernelGGL(reduce<T>, dim3(grid), dim3(device::block_threads), 0, nullptr, output.data(),
                           static_cast<const T*>(input.data()), one.data(), two.data(), three.data(), size);
        blocks::finish();
        ASSERT_EQ(output.values(), (std::vector<T>{sum, greatest, least}))
            << size << " elements, " << grid << " blocks";
      }
    }
  }
}

TYPED_TEST(device_wide, scans) {
  using T = TypeParam;
  covers("device::prefix_sum", blocks::warp_sizes());
  for (const unsigned W : blocks::warp_sizes()) {
    blocks::use_warp_size(W);
    // Not cleared between launches, whatever their sizes.
    constexpr unsigned tile = warpz::detail::tile_elements<T, warpz::detail::scan_rows>;
    array<unsigned> state(device::scan_state<T>(sizes(tile).back()));
    for (const std::size_t size : sizes(tile)) {
      const std::vector<T> x = numbers<T>(size);
      std::vector<T> inclusive, exclusive;
      T sum = 0;
      for (const T each : x) {
        exclusive.push_back(sum);
        inclusive.push_back(sum = added(sum, each));
      }
      for (const unsigned grid : grids(device::blocks_for<T>(size))) {
        ASSERT_TRUE((scanned<false>(x, grid, state) == inclusive)) << size << " elements, " << grid << " blocks";
        ASSERT_TRUE((scanned<true>(x, grid, state) == exclusive)) << size << " elements, " << grid << " blocks";
      }
    }
  }
}

TYPED_TEST(device_wide, splits) {
  using T = TypeParam;
  covers("device::compact device::partition", blocks::warp_sizes());
  for (const unsigned W : blocks::warp_sizes()) {
    blocks::use_warp_size(W);
    // Not cleared between launches, whatever their sizes and operations.
    constexpr unsigned tile = warpz::detail::tile_elements<T, warpz::detail::split_rows<T>>;
    array<unsigned> state(device::split_state<T>(sizes(tile).back()));
    for (const std::size_t size : sizes(tile)) {
      const std::vector<T> x = numbers<T>(size);
      std::vector<T> stable = x;
      const auto rest = std::stable_partition(stable.begin(), stable.end(), every_third());
      const auto count = static_cast<std::size_t>(rest - stable.begin());
      std::vector<T> compact = stable, unstable = stable;
      std::fill(compact.begin() + (rest - stable.begin()), compact.end(), T{99});
      std::reverse(unstable.begin() + (rest - stable.begin()), unstable.end());
      for (const unsigned grid : grids(device::blocks_for<T>(size))) {
        expect_split<split::compact>(x, compact, count, grid, state);
        expect_split<split::partition>(x, stable, count, grid, state);
        expect_split<split::unstable>(x, unstable, count, grid, state);
      }
    }
  }
}

/// Random bits; of floats that are no numbers, and zeros, there are some of either sign.
template <class T>
std::vector<T> keys(std::size_t size) {
  std::vector<T> result;
  std::mt19937_64 random(size);
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint64_t bits = random();
    T key{};
    std::memcpy(&key, &bits, sizeof key);
    if (std::is_floating_point<T>::value && i % 7 == 0) {
      const T odd[] = {T(0),
                       -T(0),
                       std::numeric_limits<T>::infinity(),
                       -std::numeric_limits<T>::infinity(),
                       std::numeric_limits<T>::quiet_NaN(),
                       -std::numeric_limits<T>::quiet_NaN()};
      key = odd[i / 7 % 6];
    }
    if (i % 3 == 0 && i > 2) key = result[i - 3];
    result.push_back(key);
  }
  return result;
}

template <class T>
bool comes_before(T a, T b) {
  if constexpr (std::is_floating_point<T>::value) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(b) && !std::isnan(a);
    if (a == b) return std::signbit(a) && !std::signbit(b);
  }
  return a < b;
}

template <class T>
std::vector<T> sorted(std::vector<T> x) {
  std::stable_sort(x.begin(), x.end(), comes_before<T>);
  return x;
}

TYPED_TEST(device_wide, sorts) {
  using T = TypeParam;
  covers("device::sort", blocks::warp_sizes());
  for (const unsigned W : blocks::warp_sizes()) {
    blocks::use_warp_size(W);
    const std::size_t tile = warpz::detail::sort_tile<T>;
    for (const std::size_t size : {std::size_t{1}, tile - 1, tile, tile + 1, 3 * tile + 77}) {
      const std::vector<T> x = keys<T>(size);
      const std::vector<T> expected = sorted(x);
      for (const unsigned grid : {1U, 2U, 7U}) {
        array<T> data(x);
        array<unsigned> state(device::sort_state<T>(size));
        hipLaunchKernelGGL(sort<T>, dim3(grid), dim3(device::block_threads), 0, nullptr, data.data(),
                           static_cast<const T*>(data.data()), state.data(), size);
        blocks::finish();
        ASSERT_TRUE(are_same(data.values(), expected)) << size << " elements, " << grid << " blocks";
      }
    }
  }
}

/// Keys that one block sorts: around a row of them, of a warp and of the block, and rows that go together. What lies in
/// the state makes no difference there.
TYPED_TEST(device_wide, sorts_by_one_block) {
  using T = TypeParam;
  for (const unsigned W : blocks::warp_sizes()) {
    blocks::use_warp_size(W);
    for (const std::size_t size : {2U, 31U, 32U, 33U, 63U, 64U, 65U, 255U, 256U, 257U, 1024U, 1025U, 3001U}) {
      const std::vector<T> any = keys<T>(size), ascending = sorted(any);
      const std::vector<T> descending(ascending.rbegin(), ascending.rend()), same(size, any[size / 2]);
      for (const std::vector<T>& x : {any, ascending, descending, same}) {
        array<T> input(x), output(size, T{99});
        array<unsigned> state(device::sort_state<T>(size), ~0U);
        hipLaunchKernelGGL(sort<T>, dim3(device::blocks_for<T>(size) + 1), dim3(device::block_threads), 0, nullptr,
                           output.data(), static_cast<const T*>(input.data()), state.data(), size);
        blocks::finish();
        ASSERT_EQ(device::sort_zeros<T>(size), 0U);
        ASSERT_TRUE(are_same(output.values(), sorted(x))) << size << " elements, lanes " << W;
      }
    }
  }
}

/// A warp's lanes make a group of tiles, and as many groups one sum from the start: beyond those.
TEST(device_wide_order, scans_of_several_groups_of_groups) {
  for (const unsigned W : blocks::warp_sizes()) {
    if (W > 32) continue;  // 32 million elements are too many for the CPU machine
    blocks::use_warp_size(W);
    const std::size_t tile = warpz::detail::tile_elements<long long, warpz::detail::scan_rows>;
    const std::vector<long long> x = numbers<long long>((std::size_t{W} * W + 1) * tile + 1);
    std::vector<long long> sums;
    long long sum = 0;
    for (const long long each : x) sums.push_back(sum = added(sum, each));
    array<unsigned> state(device::scan_state<long long>(x.size()));
    ASSERT_TRUE(scanned<false>(x, device::blocks_for<long long>(x.size()), state) == sums);
  }
}

/// Sums that round: the order of additions shows in the bits.
TEST(device_wide_order, floats_round_the_same_way_whatever_the_blocks) {
  for (const unsigned W : blocks::warp_sizes()) {
    blocks::use_warp_size(W);
    std::vector<float> x = numbers<float>(40 * warpz::detail::tile_elements<float, warpz::detail::scan_rows> + 5);
    for (float& each : x) each = each / 3 + 0.1F;
    array<unsigned> state(device::scan_state<float>(x.size()));
    const std::vector<float> first = scanned<false>(x, 1, state);
    for (const unsigned grid : {2U, 7U, 41U, 100U}) {
      ASSERT_TRUE(scanned<false>(x, grid, state) == first) << grid << " blocks";
    }
    std::vector<float> sums;
    for (const unsigned grid : {1U, 2U, 7U, 41U}) {
      array<float> input(x), output(3);
      array<unsigned> one(device::reduce_state<float>(x.size())), two(device::reduce_state<float>(x.size())),
          three(device::reduce_state<float>(x.size()));
      hipLaunchKernelGGL(reduce<float>, dim3(grid), dim3(device::block_threads), 0, nullptr, output.data(),
                         static_cast<const float*>(input.data()), one.data(), two.data(), three.data(), x.size());
      blocks::finish();
      sums.push_back(output.values()[0]);
    }
    ASSERT_EQ(sums, std::vector<float>(sums.size(), sums[0]));
  }
}

}  // namespace test_device_wide

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operations of warpz/distributed.hpp on one device that poses as several, against plain loops; and sums that round
// against those of one device.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "covers.hpp"
#include "exact_numbers.hpp"
#include "test_block_support.hpp"
#include "warpz/device.hpp"
#include "warpz/distributed.hpp"

namespace test_distributed {

using exact_numbers::added;
using exact_numbers::numbers;
namespace distributed = warpz::distributed;
namespace device = warpz::device;

/// So many times the device that is in use.
std::vector<int> poses(unsigned gpus) {
  int current = 0;
  BLOCKS_CHECK(hipGetDevice(&current));
  return std::vector<int>(gpus, current);
}

/// An array in the parts of a group.
template <class T>
class parts {
 public:
  parts(const distributed::layout& dealt, const std::vector<T>& values) : dealt_(dealt) {
    std::vector<std::vector<T>> of_gpu(dealt.gpus);
    for (std::size_t i = 0; i < values.size(); ++i) of_gpu[i / dealt.stripe % dealt.gpus].push_back(values[i]);
    for (auto& each : of_gpu) {
      each.push_back(guard);  // behind the part, and so that none is empty
      memory_.push_back(std::make_unique<blocks::array<T>>(each));
    }
  }

  template <class U = T>
  distributed::array<U> view() const {
    distributed::array<U> all{dealt_, {}};
    for (unsigned gpu = 0; gpu < dealt_.gpus; ++gpu) all.part.of[gpu] = memory_[gpu]->data();
    return all;
  }

  /// In the order of the whole array.
  std::vector<T> values() const {
    std::vector<std::vector<T>> of_gpu;
    for (const auto& each : memory_) of_gpu.push_back(each->values());
    for (unsigned gpu = 0; gpu < dealt_.gpus; ++gpu) {
      EXPECT_EQ(of_gpu[gpu].size(), dealt_.elements_of(gpu) + 1);
      EXPECT_EQ(of_gpu[gpu].back(), guard) << "behind the part of GPU " << gpu;
    }
    std::vector<T> whole;
    std::vector<std::size_t> next(dealt_.gpus);
    for (std::size_t i = 0; i < dealt_.size; ++i) {
      const std::size_t gpu = i / dealt_.stripe % dealt_.gpus;
      whole.push_back(of_gpu[gpu][next[gpu]++]);
    }
    return whole;
  }

 private:
  static constexpr T guard = static_cast<T>(77);
  distributed::layout dealt_;
  std::vector<std::unique_ptr<blocks::array<T>>> memory_;
};

/// Around a share of one GPU, so that some GPUs have nothing, one element, or a part that ends within a tile.
std::vector<std::size_t> sizes(std::size_t unit) { return {1, 5, unit, unit + 1, 3 * unit - 1, 5 * unit + 7}; }

const std::vector<unsigned> group_sizes = {1, 2, 3, 8};

template <class T>
class distributed_operations : public testing::Test {};
using types = types_to_test<testing::Types<int, unsigned, long long, float, double>, testing::Types<float, long long>>;
TYPED_TEST_SUITE(distributed_operations, types, );

TYPED_TEST(distributed_operations, sums) {
  using T = TypeParam;
  for (const unsigned W : blocks::warp_sizes()) {
    blocks::use_warp_size(W);
    for (const unsigned gpus : group_sizes) {
      distributed::gpu_group group(poses(gpus));
      for (const std::size_t size : sizes(warpz::detail::tile_elements<T, warpz::detail::reduce_rows>)) {
        const std::vector<T> x = numbers<T>(size);
        T expected = 0;
        for (const T each : x) expected = added(expected, each);
        const parts<T> input(distributed::reduce_layout<T>(size, gpus), x);
        const parts<T> output({gpus, 1, gpus}, std::vector<T>(gpus));
        distributed::sum(group, output.view().part, input.template view<const T>());
        group.synchronize();
        ASSERT_EQ(output.values(), std::vector<T>(gpus, expected)) << size << " elements, " << gpus << " GPUs";
      }
    }
  }
}

TYPED_TEST(distributed_operations, scans) {
  using T = TypeParam;
  for (const unsigned W : blocks::warp_sizes()) {
    blocks::use_warp_size(W);
    for (const unsigned gpus : group_sizes) {
      distributed::gpu_group group(poses(gpus));
      // Stripes have 8 tiles.
      constexpr std::size_t tile = warpz::detail::tile_elements<T, warpz::detail::scan_rows>;
      for (const std::size_t size : {std::size_t{1}, tile + 1, 9 * tile + 5, 50 * tile + 7}) {
        const std::vector<T> x = numbers<T>(size);
        std::vector<T> inclusive, exclusive;
        T sum = 0;
        for (const T each : x) {
          exclusive.push_back(sum);
          inclusive.push_back(sum = added(sum, each));
        }
        const distributed::layout dealt = distributed::scan_layout<T>(size, gpus);
        const parts<T> input(dealt, x), output(dealt, std::vector<T>(size));
        distributed::prefix_sum(group, output.view(), input.template view<const T>());
        group.synchronize();
        ASSERT_TRUE(output.values() == inclusive) << size << " elements, " << gpus << " GPUs";
        distributed::prefix_sum<true>(group, output.view(), input.template view<const T>());
        group.synchronize();
        ASSERT_TRUE(output.values() == exclusive) << size << " elements, " << gpus << " GPUs";
      }
    }
  }
}

struct every_third {
  template <class T>
  __host__ __device__ bool operator()(T v) const {
    return static_cast<long long>(v) % 3 == 0;
  }
};

TYPED_TEST(distributed_operations, splits) {
  using T = TypeParam;
  for (const unsigned W : blocks::warp_sizes()) {
    blocks::use_warp_size(W);
    for (const unsigned gpus : group_sizes) {
      distributed::gpu_group group(poses(gpus));
      for (const std::size_t size : sizes(warpz::detail::tile_elements<T, warpz::detail::split_rows<T>>)) {
        const std::vector<T> x = numbers<T>(size);
        const distributed::layout dealt = distributed::part_layout<T>(size, gpus);
        std::vector<T> stable = x, compact = x;
        std::vector<unsigned long long> counts(gpus);
        for (unsigned gpu = 0; gpu < gpus; ++gpu) {
          const std::size_t first = std::min(size, gpu * dealt.stripe), end = std::min(size, first + dealt.stripe);
          const auto rest = std::stable_partition(stable.begin() + first, stable.begin() + end, every_third());
          counts[gpu] = static_cast<unsigned long long>(rest - (stable.begin() + first));
          std::copy(stable.begin() + first, rest, compact.begin() + first);
          std::fill(compact.begin() + first + counts[gpu], compact.begin() + end, T{99});
        }
        const parts<T> input(dealt, x), output(dealt, std::vector<T>(size, T{99}));
        const auto split = [&](bool has_rest) {
          const auto told =
              has_rest ? distributed::partition(group, output.view(), input.template view<const T>(), every_third())
                       : distributed::compact(group, output.view(), input.template view<const T>(), every_third());
          group.synchronize();
          ASSERT_TRUE(output.values() == (has_rest ? stable : compact)) << size << " elements, " << gpus << " GPUs";
          for (unsigned gpu = 0; gpu < gpus; ++gpu) {
            std::vector<unsigned long long> found(gpus);
            BLOCKS_CHECK(hipMemcpy(found.data(), told[gpu], gpus * sizeof found[0], hipMemcpyDeviceToHost));
            ASSERT_EQ(found, counts) << "on GPU " << gpu;
          }
        };
        split(false);
        split(true);
      }
    }
  }
}

/// Keys of few values and of many, NaNs with bits of their own among them.
template <class T>
std::vector<T> keys(std::size_t size, bool are_few) {
  std::vector<T> result;
  std::mt19937_64 random(size);
  for (std::size_t i = 0; i < size; ++i) {
    std::uint64_t bits = random();
    T key = are_few ? static_cast<T>(bits % 3) : T{};
    if (!are_few) std::memcpy(&key, &bits, sizeof key);
    if (std::is_floating_point<T>::value && i % 11 == 0) {
      bits |= ~std::uint64_t{0} << 44 | 0xfff00000U;
      std::memcpy(&key, &bits, sizeof key);
    }
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

TYPED_TEST(distributed_operations, sorts) {
  using T = TypeParam;
  for (const unsigned W : blocks::warp_sizes()) {
    blocks::use_warp_size(W);
    for (const unsigned gpus : {1U, 2U, 3U, 4U, 7U}) {
      distributed::gpu_group group(poses(gpus));
      for (const std::size_t size : sizes(warpz::detail::merge_tile<T>)) {
        for (const bool are_few : {false, true}) {
          const std::vector<T> x = keys<T>(size, are_few);
          std::vector<T> sorted = x;
          std::stable_sort(sorted.begin(), sorted.end(), comes_before<T>);
          const distributed::layout dealt = distributed::part_layout<T>(size, gpus);
          const parts<T> input(dealt, x), output(dealt, std::vector<T>(size));
          distributed::sort(group, output.view(), input.template view<const T>());
          group.synchronize();
          // By their bits: the zeros, and what is no number.
          ASSERT_EQ(std::memcmp(output.values().data(), sorted.data(), size * sizeof(T)), 0)
              << size << " elements, " << gpus << " GPUs";
        }
      }
    }
  }
}

/// Keys that make it hard to say which of them two GPUs have.
template <class T>
std::vector<std::vector<T>> hard_keys(std::size_t size) {
  std::vector<T> equal(size, T{5}), two_values, ascending, descending, apart, crossed;
  for (std::size_t i = 0; i < size; ++i) {
    const bool is_lower = i < distributed::part_layout<T>(size, 2).stripe;
    two_values.push_back(static_cast<T>(i % 5 == 0 ? 1 : -1));
    ascending.push_back(static_cast<T>(i));
    descending.push_back(static_cast<T>(size - i));
    apart.push_back(static_cast<T>(is_lower ? 3 : 8));
    crossed.push_back(static_cast<T>(is_lower ? 1000 + i % 100 : i % 100));
  }
  return {equal, two_values, ascending, descending, apart, crossed};
}

/// Keys with the same lowest digit, the last one: NaNs with bits of their own, or integers.
template <class T>
std::vector<T> keys_of_last_digit(std::size_t size) {
  std::vector<T> result;
  std::mt19937_64 random(size);
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint64_t bits =
        std::is_floating_point<T>::value ? random() | ~std::uint64_t{0} << 44 | 0xfff00000U : random() << 8 | 255;
    T key;
    std::memcpy(&key, &bits, sizeof key);
    result.push_back(key);
  }
  return result;
}

/// Keys whose sample says that almost all others are on one side.
template <class T>
std::vector<T> deceptive_keys(std::size_t size, bool are_upper) {
  std::vector<T> x;
  for (std::size_t i = 0; i < size; ++i) x.push_back(static_cast<T>(are_upper ? 1000 + i % 77 : i % 77));
  const unsigned samples = warpz::detail::sample_size(size);
  for (unsigned i = 0; i < samples; ++i) {
    x[warpz::detail::sample_place(i, samples, size)] = static_cast<T>(are_upper ? i % 900 : 100 + i % 900);
  }
  return x;
}

/// Sorts on two GPUs, and tells whether they merged in the end.
template <class T>
bool sorts_by_merging(distributed::gpu_group& group, const std::vector<T>& x) {
  std::vector<T> sorted = x;
  std::stable_sort(sorted.begin(), sorted.end(), comes_before<T>);
  const distributed::layout dealt = distributed::part_layout<T>(x.size(), group.size());
  const parts<T> input(dealt, x), output(dealt, std::vector<T>(x.size()));
  warpz::detail::sort_on_all(group, output.view(), input.template view<const T>(), 0);
  group.synchronize();
  EXPECT_EQ(std::memcmp(output.values().data(), sorted.data(), x.size() * sizeof(T)), 0) << x.size() << " elements";
  // Where it has to say it.
  const auto states = group.memory<warpz::detail::exchange_state<T>>(distributed::seen::at_end, 0, 0);
  unsigned is_merged[2];
  for (unsigned gpu = 0; gpu < 2; ++gpu) {
    BLOCKS_CHECK(hipMemcpy(&is_merged[gpu], &states[gpu]->is_merged, sizeof(unsigned), hipMemcpyDeviceToHost));
  }
  EXPECT_EQ(is_merged[0], is_merged[1]);
  return is_merged[0] != 0;
}

TYPED_TEST(distributed_operations, sorts_what_two_gpus_exchange) {
  using T = TypeParam;
  // A whole sample of them, and more.
  constexpr std::size_t sample = warpz::detail::sample_most;
  for (const unsigned W : blocks::warp_sizes()) {
    blocks::use_warp_size(W);
    distributed::gpu_group group(poses(2));
    for (const std::size_t size : {std::size_t{1}, std::size_t{2}, std::size_t{6}, sample + sample / 2 + 3}) {
      for (const std::vector<T>& x : hard_keys<T>(size)) EXPECT_FALSE(sorts_by_merging(group, x));
      EXPECT_FALSE(sorts_by_merging(group, keys<T>(size, false)));
    }
    // Of a digit several tiles on each GPU and side, and more on one GPU than on the other.
    constexpr std::size_t tiles = 10 * warpz::detail::sort_tile<T> + 9;
    std::vector<T> x = keys<T>(tiles, true);
    std::sort(x.begin(), x.begin() + tiles / 3, comes_before<T>);
    EXPECT_FALSE(sorts_by_merging(group, x));
    EXPECT_FALSE(sorts_by_merging(group, keys_of_last_digit<T>(tiles)));
  }
}

TYPED_TEST(distributed_operations, merges_what_has_no_room_on_a_gpu) {
  using T = TypeParam;
  for (const unsigned W : blocks::warp_sizes()) {
    blocks::use_warp_size(W);
    distributed::gpu_group group(poses(2));
    for (const bool are_upper : {false, true}) {
      EXPECT_TRUE(sorts_by_merging(group, deceptive_keys<T>(3 * std::size_t{warpz::detail::sample_most}, are_upper)));
    }
    // What was left in the memory says nothing.
    EXPECT_FALSE(sorts_by_merging(group, keys<T>(1000, false)));
  }
}

__global__ void __launch_bounds__(device::block_threads)
    sum_and_scan(float* sum, float* sums, const float* input, unsigned* one, unsigned* other, std::size_t size) {
  device::sum(sum, input, size, one);
  device::prefix_sum(sums, input, size, other);
}

/// Sums that round: the order of additions shows in the bits, and is that of one device.
TEST(distributed_order, floats_round_as_on_one_device) {
  for (const unsigned W : blocks::warp_sizes()) {
    blocks::use_warp_size(W);
    std::vector<float> x = numbers<float>(70 * warpz::detail::tile_elements<float, warpz::detail::scan_rows> + 5);
    for (float& each : x) each = each / 3 + 0.1F;
    blocks::array<float> input(x), sum(1), sums(x.size());
    blocks::array<unsigned> one(device::reduce_state<float>(x.size())), other(device::scan_state<float>(x.size()));
    hipLaunchKernelGGL(sum_and_scan, dim3(3), dim3(device::block_threads), 0, nullptr, sum.data(), sums.data(),
                       static_cast<const float*>(input.data()), one.data(), other.data(), x.size());
    blocks::finish();
    for (const unsigned gpus : {2U, 3U}) {
      distributed::gpu_group group(poses(gpus));
      const parts<float> to_add(distributed::reduce_layout<float>(x.size(), gpus), x);
      const parts<float> of_all({gpus, 1, gpus}, std::vector<float>(gpus));
      distributed::sum(group, of_all.view().part, to_add.view<const float>());
      const distributed::layout dealt = distributed::scan_layout<float>(x.size(), gpus);
      const parts<float> to_scan(dealt, x), scanned(dealt, std::vector<float>(x.size()));
      distributed::prefix_sum(group, scanned.view(), to_scan.view<const float>());
      group.synchronize();
      ASSERT_EQ(of_all.values(), std::vector<float>(gpus, sum.values()[0]));
      ASSERT_TRUE(scanned.values() == sums.values());
    }
  }
}

TEST(distributed_group, refuses_what_is_no_group) {
  EXPECT_THROW(distributed::gpu_group({}), distributed::error);
  EXPECT_THROW(distributed::gpu_group(std::vector<int>(17, 0)), distributed::error);
  EXPECT_THROW(distributed::gpu_group({0, 0, 1}), distributed::error);
}

}  // namespace test_distributed

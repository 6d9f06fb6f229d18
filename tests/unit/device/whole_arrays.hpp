// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests of warpz/device.hpp: kernels that each call one of its operations, and the launches that the tests of all
// types share.
#pragma once

#include <cstddef>
#include <cstring>
#include <vector>

#include "test_block_support.hpp"
#include "warpz/device.hpp"

namespace whole_arrays {

using blocks::array;
namespace device = warpz::device;

/// What outputs hold before a launch.
template <class T>
T unwritten() {
  return static_cast<T>(99.0F);
}

/// By their bits, of which zeros, and what is no number, have several.
template <class T>
bool are_same(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

template <class T>
__global__ void __launch_bounds__(device::block_threads)
    reduce(T* output, const T* input, unsigned* sum_state, unsigned* max_state, unsigned* min_state, std::size_t size) {
  device::sum(output, input, size, sum_state);
  device::max(output + 1, input, size, max_state);
  device::min(output + 2, input, size, min_state);
}

template <bool exclusive, class T>
__global__ void __launch_bounds__(device::block_threads)
    scan(T* output, const T* input, unsigned* state, std::size_t size) {
  device::prefix_sum<exclusive>(output, input, size, state);
}

template <bool exclusive, class T>
std::vector<T> scanned(const std::vector<T>& x, unsigned grid, array<unsigned>& state) {
  array<T> input(x), output(x.size(), unwritten<T>());
  hipLaunchKernelGGL((scan<exclusive, T>), dim3(grid), dim3(device::block_threads), 0, nullptr, output.data(),
                     static_cast<const T*>(input.data()), state.data(), x.size());
  blocks::finish();
  return output.values();
}

/// Of whole numbers.
struct every_third {
  template <class T>
  __host__ __device__ bool operator()(T v) const {
    if constexpr (sizeof(T) <= 2) {
      return static_cast<int>(static_cast<float>(v)) % 3 == 0;
    } else {
      return static_cast<long long>(v) % 3 == 0;
    }
  }
};

enum class split { compact, partition, unstable };

/// Each thread also says how many the operation tells it of.
template <split kind, class T>
__global__ void __launch_bounds__(device::block_threads)
    split_up(T* output, const T* input, unsigned* state, unsigned long long* told, std::size_t size) {
  std::size_t count = 0;
  if constexpr (kind == split::compact) {
    count = device::compact(output, input, size, every_third(), state);
  } else {
    count = device::partition<kind == split::partition>(output, input, size, every_third(), state);
  }
  told[blockIdx.x * blockDim.x + threadIdx.x] = count;
}

template <split kind, class T>
void expect_split(const std::vector<T>& x, const std::vector<T>& expected, std::size_t count, unsigned grid,
                  array<unsigned>& state) {
  array<T> input(x), output(x.size(), unwritten<T>());
  array<unsigned long long> told(std::size_t{grid} * device::block_threads);
  hipLaunchKernelGGL((split_up<kind, T>), dim3(grid), dim3(device::block_threads), 0, nullptr, output.data(),
                     static_cast<const T*>(input.data()), state.data(), told.data(), x.size());
  blocks::finish();
  ASSERT_TRUE(are_same(output.values(), expected)) << x.size() << " elements, " << grid << " blocks";
  for (const unsigned long long each : told.values()) ASSERT_EQ(each, count);
}

template <class T>
__global__ void __launch_bounds__(device::block_threads)
    sort(T* output, const T* input, unsigned* state, std::size_t size) {
  device::sort(output, input, size, state);
}

}  // namespace whole_arrays

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests of blocks and grids: which warp sizes there are to test, and memory of the device with a host's values.
//
// Plain HIP, nothing of the CPU machine's.
#pragma once

#include <gtest/gtest.h>
#include <hip/hip_runtime.h>

#include <cstddef>
#include <cstdlib>
#include <vector>

#include "sampling.hpp"

namespace blocks {

// A test's helpers return values; what goes wrong in HIP itself ends the test all the same.
#define BLOCKS_CHECK(call) ::blocks::check(call, #call)

inline void check(hipError_t error, const char* call) {
  if (error == hipSuccess) return;
  ADD_FAILURE() << call << ": " << hipGetErrorString(error);
  std::abort();
}

/// Those of the devices that are there; the CPU machine has one of each.
inline std::vector<unsigned> warp_sizes() {
  std::vector<unsigned> found;
  int devices = 0;
  BLOCKS_CHECK(hipGetDeviceCount(&devices));
  for (int device = 0; device < devices; ++device) {
    hipDeviceProp_t properties;
    BLOCKS_CHECK(hipGetDeviceProperties(&properties, device));
    const unsigned lanes = static_cast<unsigned>(properties.warpSize);
    bool known = false;
    for (const unsigned each : found) known = known || each == lanes;
    if (!known) found.push_back(lanes);
  }
  return found;
}

/// What follows runs on a device with so many lanes.
inline void use_warp_size(unsigned lanes) {
  int devices = 0;
  BLOCKS_CHECK(hipGetDeviceCount(&devices));
  for (int device = 0; device < devices; ++device) {
    hipDeviceProp_t properties;
    BLOCKS_CHECK(hipGetDeviceProperties(&properties, device));
    if (properties.warpSize != static_cast<int>(lanes)) continue;
    BLOCKS_CHECK(hipSetDevice(device));
    return;
  }
  ADD_FAILURE() << "no device has " << lanes << " lanes";
}

/// An array in the device's memory.
template <class T>
class array {
 public:
  explicit array(const std::vector<T>& values) : size_(values.size()) {
    BLOCKS_CHECK(hipMalloc(reinterpret_cast<void**>(&data_), size_ * sizeof(T)));
    BLOCKS_CHECK(hipMemcpy(data_, values.data(), size_ * sizeof(T), hipMemcpyHostToDevice));
  }
  explicit array(std::size_t size, T value = T{}) : array(std::vector<T>(size, value)) {}
  array(const array&) = delete;
  array& operator=(const array&) = delete;
  ~array() { static_cast<void>(hipFree(data_)); }

  T* data() { return data_; }

  std::vector<T> values() const {
    std::vector<T> copy(size_);
    BLOCKS_CHECK(hipMemcpy(copy.data(), data_, size_ * sizeof(T), hipMemcpyDeviceToHost));
    return copy;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};

/// After a launch: that it took place, and that it has ended.
inline void finish() {
  BLOCKS_CHECK(hipGetLastError());
  BLOCKS_CHECK(hipDeviceSynchronize());
}

__device__ inline unsigned rank() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }

inline unsigned threads_of(dim3 block) { return block.x * block.y * block.z; }

/// Blocks of 1 to 1024 threads, around every multiple of a warp where something could change, in one to three
/// dimensions.
inline std::vector<dim3> shapes(unsigned warp_size) {
  std::vector<dim3> result;
  for (unsigned warps = 1; warps <= largest_block / warp_size; warps += warps < 4 ? 1 : warps < 8 ? 3 : 9) {
    const unsigned threads = warps * warp_size;
    for (const unsigned each : {threads - 1, threads, threads + 1}) {
      if (each <= largest_block) result.emplace_back(each);
    }
  }
  for (const dim3& each : {dim3(1), dim3(2), dim3(5), dim3(100), dim3(1000), dim3(1023), dim3(1024), dim3(7, 9),
                           dim3(5, 3, 7), dim3(1, 2, 64), dim3(32, 32), dim3(16, 8, 8), dim3(3, 11, 31),
                           dim3(10, 10, 10), dim3(1, 33), dim3(2, 2, 17), dim3(1, 1, 64)}) {
    if (threads_of(each) <= largest_block) result.push_back(each);
  }
  return result;
}

}  // namespace blocks

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests of warp operations: runs a body once in every thread of a block and brings back what each returned.
//
// Owns the launch, the memory and the arithmetic of who is whose lane. Plain HIP, nothing of the CPU machine's.
#pragma once

#include <gtest/gtest.h>
#include <hip/hip_runtime.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "sampling.hpp"

namespace lanes {

/// What lanes call. Clang asks for its result's type in the host's code, too, so it has to be there; nvcc asks nowhere,
/// and refuses functions of both sides that call one of the device.
#ifdef __CUDACC__
#define LANE_FUNCTION __device__
#else
#define LANE_FUNCTION __host__ __device__
#endif

#define LANES_CHECK(call) ASSERT_EQ(call, hipSuccess) << #call

template <class T, class Body>
__global__ void __launch_bounds__(1024) run_body(T* results, Body body) {
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  results[thread] = body(thread);
}

template <class T, class Result, class Operation>
__global__ void __launch_bounds__(1024) run_operation(Result* results, const T* inputs, Operation operation) {
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  results[thread] = operation(inputs[thread], thread);
}

/// A block of threads on a device with `warp_size` lanes a warp.
struct shape {
  unsigned warp_size;
  dim3 block;

  unsigned threads() const { return block.x * block.y * block.z; }
  unsigned lane(unsigned thread) const { return thread % warp_size; }
  unsigned first(unsigned thread) const { return thread - lane(thread); }
  /// Lanes of this thread's warp that the block has.
  unsigned existing(unsigned thread) const {
    const unsigned rest = threads() - first(thread);
    return rest < warp_size ? rest : warp_size;
  }
};

inline void PrintTo(const shape& each, std::ostream* out) {
  *out << each.block.x << " x " << each.block.y << " x " << each.block.z << " threads, " << each.warp_size << " lanes";
}

/// One value for each thread. (A vector of bool is no array.)
template <class T>
class list {
 public:
  explicit list(std::size_t size) : values_(std::make_unique<T[]>(size)), size_(size) {}
  std::size_t size() const { return size_; }
  T* data() { return values_.get(); }
  const T& operator[](std::size_t i) const { return values_[i]; }
  const T* begin() const { return values_.get(); }
  const T* end() const { return values_.get() + size_; }

 private:
  std::unique_ptr<T[]> values_;
  std::size_t size_;
};

/// The number of the first device with so many lanes a warp; -1 if there is none.
inline int device_of(unsigned warp_size) {
  int devices = 0;
  if (hipGetDeviceCount(&devices) != hipSuccess) return -1;
  for (int device = 0; device < devices; ++device) {
    hipDeviceProp_t properties;
    if (hipGetDeviceProperties(&properties, device) == hipSuccess &&
        properties.warpSize == static_cast<int>(warp_size)) {
      return device;
    }
  }
  return -1;
}

/// Those that there are devices for: both on the CPU machine.
inline std::vector<unsigned> warp_sizes() {
  std::vector<unsigned> found;
  for (const unsigned size : {32U, 64U}) {
    if (device_of(size) >= 0) found.push_back(size);
  }
  EXPECT_FALSE(found.empty()) << "no device";
  return found;
}

/// On a device with that many lanes: a copy of `given` and memory for `created`, for `launch`, which brings back what
/// is then in `made`. Not instantiated for each operation and type: that would be most of these tests' code.
inline void with_copies(const shape& on, const void* given, std::size_t bytes_given, void* created,
                        std::size_t bytes_made, const std::function<void(void* created, const void* given)>& launch) {
  const int device = device_of(on.warp_size);
  ASSERT_GE(device, 0) << "no device has " << on.warp_size << " lanes";
  LANES_CHECK(hipSetDevice(device));
  void *copy = nullptr, *results = nullptr;
  if (bytes_given != 0) {
    LANES_CHECK(hipMalloc(&copy, bytes_given));
    LANES_CHECK(hipMemcpy(copy, given, bytes_given, hipMemcpyHostToDevice));
  }
  LANES_CHECK(hipMalloc(&results, bytes_made));
  LANES_CHECK(hipMemset(results, 0xee, bytes_made));
  launch(results, copy);
  LANES_CHECK(hipGetLastError());
  LANES_CHECK(hipMemcpy(created, results, bytes_made, hipMemcpyDeviceToHost));
  LANES_CHECK(hipFree(copy));
  LANES_CHECK(hipFree(results));
}

/// What `body(thread)` returned in each thread of the block.
template <class Body>
auto results_of(const shape& on, const Body& body) {
  using result = decltype(body(0U));
  list<result> results(on.threads());
  with_copies(on, nullptr, 0, results.data(), on.threads() * sizeof(result), [&](void* created, const void*) {
    hipLaunchKernelGGL((run_body<result, Body>), dim3(1), on.block, 0, nullptr, static_cast<result*>(created), body);
  });
  return results;
}

/// What `operation(inputs[thread], thread)` returned in each thread of the block. It is a class, not a lambda: nvcc
/// can't tell on the host what a lambda of the device returns.
template <class T, class Operation>
auto mapped(const shape& on, const std::vector<T>& inputs, const Operation& operation) {
  using result = decltype(operation(inputs[0], 0U));
  list<result> results(on.threads());
  with_copies(on, inputs.data(), on.threads() * sizeof(T), results.data(), on.threads() * sizeof(result),
              [&](void* created, const void* given) {
                hipLaunchKernelGGL((run_operation<T, result, Operation>), dim3(1), on.block, 0, nullptr,
                                   static_cast<result*>(created), static_cast<const T*>(given), operation);
              });
  return results;
}

/// Blocks that fill their warps, and such that don't; of one to three dimensions.
inline std::vector<shape> shapes(unsigned warp_size) {
  std::vector<shape> created;
  created.push_back({warp_size, dim3(5)});
  created.push_back({warp_size, dim3(warp_size)});
  created.push_back({warp_size, dim3(5, 3, 7)});
  if (address_sanitized) return created;
  for (const unsigned threads :
       {1U, 2U, warp_size - 1, warp_size + 1, 2 * warp_size, 3 * warp_size + 5, largest_block}) {
    created.push_back({warp_size, dim3(threads)});
  }
  created.push_back({warp_size, dim3(1, 2, 64)});
  created.push_back({warp_size, dim3(7, 9)});
  return created;
}

}  // namespace lanes

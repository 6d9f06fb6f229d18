// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests of warp operations: runs a body once in every thread of a block and brings back what each returned.
//
// Owns the launch, the memory and the arithmetic of who is whose lane. Plain HIP, nothing of the CPU machine's.
#pragma once

#include <gtest/gtest.h>
#include <hip/hip_runtime.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace lanes {

#define LANES_CHECK(call) ASSERT_EQ(call, hipSuccess) << #call

template <class T, class Body>
__global__ void run_body(T* results, Body body) {
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  results[thread] = body(thread);
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

inline void PrintTo(const shape& of, std::ostream* out) {
  *out << of.block.x << " x " << of.block.y << " x " << of.block.z << " threads, " << of.warp_size << " lanes";
}

/// One value for each thread. (A vector of bool is no array.)
template <class T>
class list {
 public:
  void resize(std::size_t size) {
    values_ = std::make_unique<T[]>(size);
    size_ = size;
  }
  std::size_t size() const { return size_; }
  T* data() { return values_.get(); }
  const T& operator[](std::size_t i) const { return values_[i]; }
  const T* begin() const { return values_.get(); }
  const T* end() const { return values_.get() + size_; }

 private:
  std::unique_ptr<T[]> values_;
  std::size_t size_ = 0;
};

template <class T, class Body>
void run(const shape& on, list<T>& results, const Body& body) {
  int devices = 0;
  LANES_CHECK(hipGetDeviceCount(&devices));
  int chosen = 0;
  for (; chosen < devices; ++chosen) {
    hipDeviceProp_t properties;
    LANES_CHECK(hipGetDeviceProperties(&properties, chosen));
    if (properties.warpSize == static_cast<int>(on.warp_size)) break;
  }
  ASSERT_LT(chosen, devices) << "no device has " << on.warp_size << " lanes";
  LANES_CHECK(hipSetDevice(chosen));
  const std::size_t bytes = on.threads() * sizeof(T);
  T* on_device = nullptr;
  LANES_CHECK(hipMalloc(reinterpret_cast<void**>(&on_device), bytes));
  LANES_CHECK(hipMemset(on_device, 0xee, bytes));
  hipLaunchKernelGGL((run_body<T, Body>), dim3(1), on.block, 0, nullptr, on_device, body);
  LANES_CHECK(hipGetLastError());
  results.resize(on.threads());
  LANES_CHECK(hipMemcpy(results.data(), on_device, bytes, hipMemcpyDeviceToHost));
  LANES_CHECK(hipFree(on_device));
}

/// What `body(thread)` returned in each thread of the block.
template <class Body>
auto results_of(const shape& on, const Body& body) {
  list<decltype(body(0U))> results;
  run(on, results, body);
  return results;
}

/// Blocks that fill their warps, and such that don't; of one to three dimensions.
inline std::vector<shape> shapes(unsigned warp_size) {
  std::vector<shape> made;
  for (const unsigned threads :
       {1U, 2U, 5U, warp_size - 1, warp_size, warp_size + 1, 2 * warp_size, 3 * warp_size + 5, 1024U}) {
    made.push_back({warp_size, dim3(threads)});
  }
  made.push_back({warp_size, dim3(5, 3, 7)});
  made.push_back({warp_size, dim3(1, 2, 64)});
  made.push_back({warp_size, dim3(7, 9)});
  return made;
}

}  // namespace lanes

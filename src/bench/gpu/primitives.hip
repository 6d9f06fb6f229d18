// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warp and block operations beside CUB's, cooperative groups' and the raw intrinsics, on one NVIDIA GPU in one run:
// cycles of a chain of dependent operations in one warp (for blocks: 256 threads), and milliseconds for a full GPU.
//
// Prints a line of CSV for each: operation, implementation, cycles, milliseconds. scripts/bench-gpu makes ratios of
// them.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <hip/hip_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cub/cub.cuh>
#include <string>
#include <vector>

#include "warpz/block.hpp"
#include "warpz/warp.hpp"

namespace {

namespace cg = cooperative_groups;

constexpr unsigned everyone = 0xffffffffU;
constexpr int chain_length = 512;
constexpr int block_size = 256;

void check(hipError_t code, const char* call) {
  if (code == hipSuccess) return;
  std::fprintf(stderr, "bench-gpu: %s: %s\n", call, hipGetErrorString(code));
  std::exit(4);
}
#define CHECK(call) check((call), #call)

/// What the compiler may not look through, so that one operation's last steps and the next one's first do not cancel
/// out, and none becomes a constant.
__device__ __forceinline__ void keep(int& v) { asm volatile("" : "+r"(v)); }
__device__ __forceinline__ void keep(float& v) { asm volatile("" : "+f"(v)); }
__device__ __forceinline__ void keep(double& v) { asm volatile("" : "+d"(v)); }
__device__ __forceinline__ void keep(long long& v) { asm volatile("" : "+l"(v)); }

/// A chain of operations, each on the result of the one before.
template <class Operation, class T>
__device__ __forceinline__ T chain(T v, T nothing) {
  Operation operation;
#pragma unroll 8
  for (int i = 0; i < chain_length; ++i) {
    v = operation(v);
    // A thread's own, so that the compiler does not find that all have the same and leave out what follows.
    v += nothing;
    keep(v);
  }
  return v;
}

template <class Operation, class T>
__global__ void latency(T* out, const T* in, long long* cycles) {
  T v = in[threadIdx.x];
  const T nothing = in[block_size + threadIdx.x];
  v = chain<Operation>(v, nothing);  // instructions are cached now
  __syncthreads();
  const long long begin = clock64();
  v = chain<Operation>(v, nothing);
  const long long end = clock64();
  out[threadIdx.x] = v;
  if (threadIdx.x == 0) *cycles = end - begin;
}

template <class Operation, class T>
__global__ void __launch_bounds__(block_size) throughput(T* out, const T* in) {
  const T v = chain<Operation>(in[threadIdx.x], in[block_size + threadIdx.x]);
  out[blockIdx.x * block_size + threadIdx.x] = v;
}

template <class Operation, class T>
__global__ void once(T* out, const T* in) {
  Operation operation;
  out[threadIdx.x] = operation(in[threadIdx.x]);
}

/// Tells results apart: FNV-1a.
template <class T>
unsigned hash_of(const std::vector<T>& values) {
  unsigned hash = 2166136261U;
  const unsigned char* const bytes = reinterpret_cast<const unsigned char*>(values.data());
  for (std::size_t i = 0; i < values.size() * sizeof(T); ++i) hash = (hash ^ bytes[i]) * 16777619U;
  return hash;
}

struct buffers {
  void* in;
  void* out;
  long long* cycles;
};

constexpr int runs = 9;

template <class Value>
Value median(std::vector<Value> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

template <class Operation, class T>
void measure(const char* name, const char* implementation, const buffers& memory, int chain_threads, int blocks,
             const std::string& only) {
  if (!only.empty() && std::string(name).find(only) == std::string::npos) return;
  std::vector<T> host(block_size);
  for (int i = 0; i < block_size; ++i) host[i] = static_cast<T>(i * 7 % 31 + 1);
  host.resize(2 * block_size, T{});
  CHECK(hipMemcpy(memory.in, host.data(), host.size() * sizeof(T), hipMemcpyHostToDevice));
  T* const in = static_cast<T*>(memory.in);
  T* const out = static_cast<T*>(memory.out);
  once<Operation, T><<<1, block_size>>>(out, in);
  CHECK(hipGetLastError());
  std::vector<T> results(block_size);
  CHECK(hipMemcpy(results.data(), out, results.size() * sizeof(T), hipMemcpyDeviceToHost));
  std::vector<double> cycles;
  std::vector<float> milliseconds;
  hipEvent_t begin, end;
  CHECK(hipEventCreate(&begin));
  CHECK(hipEventCreate(&end));
  for (int run = 0; run < runs; ++run) {
    latency<Operation, T><<<1, chain_threads>>>(out, in, memory.cycles);
    CHECK(hipGetLastError());
    long long taken = 0;
    CHECK(hipMemcpy(&taken, memory.cycles, sizeof taken, hipMemcpyDeviceToHost));
    cycles.push_back(static_cast<double>(taken) / chain_length);
    CHECK(hipEventRecord(begin, nullptr));
    throughput<Operation, T><<<blocks, block_size>>>(out, in);
    CHECK(hipGetLastError());
    CHECK(hipEventRecord(end, nullptr));
    CHECK(hipEventSynchronize(end));
    float took = 0;
    CHECK(hipEventElapsedTime(&took, begin, end));
    milliseconds.push_back(took);
  }
  CHECK(hipEventDestroy(begin));
  CHECK(hipEventDestroy(end));
  std::printf("%s,%s,%.1f,%.4f,%08x\n", name, implementation, median(cycles), median(milliseconds), hash_of(results));
  std::fflush(stdout);
}

// An operation is a type whose call takes a lane's value to its next one.

template <class T>
__device__ __forceinline__ cg::thread_block_tile<32> tile() {
  return cg::tiled_partition<32>(cg::this_thread_block());
}

template <class T>
struct our_sum {
  __device__ __forceinline__ T operator()(T v) const { return warpz::warp::sum(v); }
};
template <class T>
struct our_max {
  __device__ __forceinline__ T operator()(T v) const { return warpz::warp::max(v); }
};
template <class T>
struct our_inclusive {
  __device__ __forceinline__ T operator()(T v) const { return warpz::warp::prefix_sum(v); }
};
template <class T>
struct our_exclusive {
  __device__ __forceinline__ T operator()(T v) const { return warpz::warp::prefix_sum<true>(v); }
};
template <class T>
struct our_xor {
  __device__ __forceinline__ T operator()(T v) const { return warpz::warp::shuffle_xor(v, 4); }
};
template <class T>
struct our_down {
  __device__ __forceinline__ T operator()(T v) const { return warpz::warp::shuffle_down(v, 1); }
};
template <class T>
struct our_up {
  __device__ __forceinline__ T operator()(T v) const { return warpz::warp::shuffle_up(v, 1); }
};
template <class T>
struct our_idx {
  __device__ __forceinline__ T operator()(T v) const { return warpz::warp::shuffle_idx(v, threadIdx.x & 15); }
};
template <class T>
struct our_down_8 {
  __device__ __forceinline__ T operator()(T v) const { return warpz::warp::shuffle_down<8>(v, 1); }
};
template <class T>
struct our_match {
  __device__ __forceinline__ T operator()(T v) const { return static_cast<T>(warpz::warp::match_any(v)) ^ v; }
};
template <class T>
struct our_match_all {
  __device__ __forceinline__ T operator()(T v) const { return static_cast<T>(warpz::warp::match_all(v)) ^ v; }
};
template <class T>
struct our_vote {
  __device__ __forceinline__ T operator()(T v) const { return static_cast<T>(warpz::warp::vote(v > 5)) ^ v; }
};
template <class T>
struct our_group {
  __device__ __forceinline__ T operator()(T v) const { return warpz::warp::lane_group_sum<8>(v); }
};

template <class T>
struct cg_sum {
  __device__ __forceinline__ T operator()(T v) const { return cg::reduce(tile<T>(), v, cg::plus<T>()); }
};
template <class T>
struct cg_max {
  __device__ __forceinline__ T operator()(T v) const { return cg::reduce(tile<T>(), v, cg::greater<T>()); }
};
template <class T>
struct cg_inclusive {
  __device__ __forceinline__ T operator()(T v) const { return cg::inclusive_scan(tile<T>(), v, cg::plus<T>()); }
};
template <class T>
struct cg_exclusive {
  __device__ __forceinline__ T operator()(T v) const { return cg::exclusive_scan(tile<T>(), v, cg::plus<T>()); }
};
template <class T>
struct cg_group {
  __device__ __forceinline__ T operator()(T v) const {
    return cg::reduce(cg::tiled_partition<8>(cg::this_thread_block()), v, cg::plus<T>());
  }
};

template <class T>
struct cub_sum {
  __device__ __forceinline__ T operator()(T v) const {
    __shared__ typename cub::WarpReduce<T>::TempStorage storage[block_size / 32];
    return cub::WarpReduce<T>(storage[threadIdx.x / 32]).Sum(v);
  }
};
template <class T>
struct cub_max {
  __device__ __forceinline__ T operator()(T v) const {
    __shared__ typename cub::WarpReduce<T>::TempStorage storage[block_size / 32];
    return cub::WarpReduce<T>(storage[threadIdx.x / 32]).Reduce(v, ::cuda::maximum<>{});
  }
};
template <class T>
struct cub_inclusive {
  __device__ __forceinline__ T operator()(T v) const {
    __shared__ typename cub::WarpScan<T>::TempStorage storage[block_size / 32];
    T result;
    cub::WarpScan<T>(storage[threadIdx.x / 32]).InclusiveSum(v, result);
    return result;
  }
};
template <class T>
struct cub_exclusive {
  __device__ __forceinline__ T operator()(T v) const {
    __shared__ typename cub::WarpScan<T>::TempStorage storage[block_size / 32];
    T result;
    cub::WarpScan<T>(storage[threadIdx.x / 32]).ExclusiveSum(v, result);
    return result;
  }
};

template <class T>
struct raw_sum {
  __device__ __forceinline__ T operator()(T v) const { return __reduce_add_sync(everyone, v); }
};
template <class T>
struct raw_max {
  __device__ __forceinline__ T operator()(T v) const { return __reduce_max_sync(everyone, v); }
};
template <class T>
struct raw_xor {
  __device__ __forceinline__ T operator()(T v) const { return __shfl_xor_sync(everyone, v, 4); }
};
template <class T>
struct raw_down {
  __device__ __forceinline__ T operator()(T v) const { return __shfl_down_sync(everyone, v, 1); }
};
template <class T>
struct raw_up {
  __device__ __forceinline__ T operator()(T v) const { return __shfl_up_sync(everyone, v, 1); }
};
template <class T>
struct raw_idx {
  __device__ __forceinline__ T operator()(T v) const { return __shfl_sync(everyone, v, threadIdx.x & 15); }
};
template <class T>
struct raw_down_8 {
  __device__ __forceinline__ T operator()(T v) const { return __shfl_down_sync(everyone, v, 1, 8); }
};
template <class T>
struct raw_match {
  __device__ __forceinline__ T operator()(T v) const { return static_cast<T>(__match_any_sync(everyone, v)) ^ v; }
};
template <class T>
struct raw_match_all {
  __device__ __forceinline__ T operator()(T v) const {
    int all = 0;
    return static_cast<T>(__match_all_sync(everyone, v, &all)) ^ v;
  }
};
template <class T>
struct raw_vote {
  __device__ __forceinline__ T operator()(T v) const { return static_cast<T>(__ballot_sync(everyone, v > 5)) ^ v; }
};

template <class T>
struct our_block_sum {
  __device__ __forceinline__ T operator()(T v) const { return warpz::block::sum<true, block_size>(v); }
};
template <class T>
struct our_block_sum_first {
  __device__ __forceinline__ T operator()(T v) const { return warpz::block::sum<false, block_size>(v); }
};
template <class T>
struct our_block_max_first {
  __device__ __forceinline__ T operator()(T v) const { return warpz::block::max<false, block_size>(v); }
};
template <class T>
struct our_block_scan {
  __device__ __forceinline__ T operator()(T v) const { return warpz::block::prefix_sum<false, block_size>(v); }
};
template <class T>
struct our_block_exclusive {
  __device__ __forceinline__ T operator()(T v) const { return warpz::block::prefix_sum<true, block_size>(v); }
};

template <class T>
struct cub_block_sum_first {
  __device__ __forceinline__ T operator()(T v) const {
    using reduce = cub::BlockReduce<T, block_size>;
    __shared__ typename reduce::TempStorage storage;
    const T result = reduce(storage).Sum(v);
    __syncthreads();
    return result;
  }
};
template <class T>
struct cub_block_sum {
  __device__ __forceinline__ T operator()(T v) const {
    using reduce = cub::BlockReduce<T, block_size>;
    __shared__ typename reduce::TempStorage storage;
    __shared__ T shared;
    const T result = reduce(storage).Sum(v);
    if (threadIdx.x == 0) shared = result;
    __syncthreads();
    return shared;
  }
};
template <class T>
struct cub_block_max_first {
  __device__ __forceinline__ T operator()(T v) const {
    using reduce = cub::BlockReduce<T, block_size>;
    __shared__ typename reduce::TempStorage storage;
    const T result = reduce(storage).Reduce(v, cuda::maximum<T>{});
    __syncthreads();
    return result;
  }
};
template <class T, cub::BlockScanAlgorithm algorithm>
struct cub_block_scan_by {
  __device__ __forceinline__ T operator()(T v) const {
    using scan = cub::BlockScan<T, block_size, algorithm>;
    __shared__ typename scan::TempStorage storage;
    T result;
    scan(storage).InclusiveSum(v, result);
    __syncthreads();
    return result;
  }
};
template <class T, cub::BlockScanAlgorithm algorithm>
struct cub_block_exclusive_by {
  __device__ __forceinline__ T operator()(T v) const {
    using scan = cub::BlockScan<T, block_size, algorithm>;
    __shared__ typename scan::TempStorage storage;
    T result;
    scan(storage).ExclusiveSum(v, result);
    __syncthreads();
    return result;
  }
};

}  // namespace

int main(int count, char** words) {
  const std::string only = count > 1 ? words[1] : "";
  hipDeviceProp_t properties;
  CHECK(hipGetDeviceProperties(&properties, 0));
  // The same for all kinds of GPU: so many blocks as 132 multiprocessors hold twice over.
  constexpr int blocks = 2112;
  buffers memory{};
  CHECK(hipMalloc(&memory.in, 2 * block_size * sizeof(double)));
  CHECK(hipMalloc(&memory.out, std::size_t{blocks} * block_size * sizeof(double)));
  CHECK(hipMalloc(reinterpret_cast<void**>(&memory.cycles), sizeof(long long)));
  std::printf("# %s\n", properties.name);

  const auto warp = [&](auto operation, auto value, const char* name, const char* implementation) {
    measure<decltype(operation), decltype(value)>(name, implementation, memory, 32, blocks, only);
  };
  const auto block = [&](auto operation, auto value, const char* name, const char* implementation) {
    measure<decltype(operation), decltype(value)>(name, implementation, memory, block_size, blocks, only);
  };

  const auto numbers = [&](auto value, const std::string& type) {
    using T = decltype(value);
    warp(our_sum<T>{}, value, ("sum " + type).c_str(), "warpz");
    warp(cg_sum<T>{}, value, ("sum " + type).c_str(), "cooperative groups");
    warp(cub_sum<T>{}, value, ("sum " + type).c_str(), "cub");
    warp(our_max<T>{}, value, ("max " + type).c_str(), "warpz");
    warp(cg_max<T>{}, value, ("max " + type).c_str(), "cooperative groups");
    warp(cub_max<T>{}, value, ("max " + type).c_str(), "cub");
    warp(our_inclusive<T>{}, value, ("inclusive scan " + type).c_str(), "warpz");
    warp(cg_inclusive<T>{}, value, ("inclusive scan " + type).c_str(), "cooperative groups");
    warp(cub_inclusive<T>{}, value, ("inclusive scan " + type).c_str(), "cub");
    warp(our_exclusive<T>{}, value, ("exclusive scan " + type).c_str(), "warpz");
    warp(cg_exclusive<T>{}, value, ("exclusive scan " + type).c_str(), "cooperative groups");
    warp(cub_exclusive<T>{}, value, ("exclusive scan " + type).c_str(), "cub");
    warp(our_group<T>{}, value, ("group sum 8 " + type).c_str(), "warpz");
    warp(cg_group<T>{}, value, ("group sum 8 " + type).c_str(), "cooperative groups");
    warp(our_xor<T>{}, value, ("shuffle_xor 4 " + type).c_str(), "warpz");
    warp(raw_xor<T>{}, value, ("shuffle_xor 4 " + type).c_str(), "intrinsic");
    warp(our_down<T>{}, value, ("shuffle_down 1 " + type).c_str(), "warpz");
    warp(raw_down<T>{}, value, ("shuffle_down 1 " + type).c_str(), "intrinsic");
    warp(our_down_8<T>{}, value, ("shuffle_down<8> 1 " + type).c_str(), "warpz");
    warp(raw_down_8<T>{}, value, ("shuffle_down<8> 1 " + type).c_str(), "intrinsic");
    warp(our_up<T>{}, value, ("shuffle_up 1 " + type).c_str(), "warpz");
    warp(raw_up<T>{}, value, ("shuffle_up 1 " + type).c_str(), "intrinsic");
    warp(our_idx<T>{}, value, ("shuffle_idx " + type).c_str(), "warpz");
    warp(raw_idx<T>{}, value, ("shuffle_idx " + type).c_str(), "intrinsic");
    block(our_block_sum_first<T>{}, value, ("block sum to thread 0 " + type).c_str(), "warpz");
    block(cub_block_sum_first<T>{}, value, ("block sum to thread 0 " + type).c_str(), "cub");
    block(our_block_sum<T>{}, value, ("block sum " + type).c_str(), "warpz");
    block(cub_block_sum<T>{}, value, ("block sum " + type).c_str(), "cub");
    block(our_block_max_first<T>{}, value, ("block max to thread 0 " + type).c_str(), "warpz");
    block(cub_block_max_first<T>{}, value, ("block max to thread 0 " + type).c_str(), "cub");
    block(our_block_scan<T>{}, value, ("block scan " + type).c_str(), "warpz");
    block(cub_block_scan_by<T, cub::BLOCK_SCAN_WARP_SCANS>{}, value, ("block scan " + type).c_str(), "cub warp scans");
    block(cub_block_scan_by<T, cub::BLOCK_SCAN_RAKING>{}, value, ("block scan " + type).c_str(), "cub raking");
    block(our_block_exclusive<T>{}, value, ("block exclusive scan " + type).c_str(), "warpz");
    block(cub_block_exclusive_by<T, cub::BLOCK_SCAN_WARP_SCANS>{}, value, ("block exclusive scan " + type).c_str(),
          "cub warp scans");
  };
  numbers(int{}, "int");
  numbers(float{}, "float");
  numbers(double{}, "double");
  numbers(0LL, "long");
  warp(raw_sum<int>{}, int{}, "sum int", "intrinsic");
  warp(raw_max<int>{}, int{}, "max int", "intrinsic");
  warp(our_match<int>{}, int{}, "match_any int", "warpz");
  warp(raw_match<int>{}, int{}, "match_any int", "intrinsic");
  warp(our_match_all<int>{}, int{}, "match_all int", "warpz");
  warp(raw_match_all<int>{}, int{}, "match_all int", "intrinsic");
  warp(our_vote<int>{}, int{}, "vote int", "warpz");
  warp(raw_vote<int>{}, int{}, "vote int", "intrinsic");
}

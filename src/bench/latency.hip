// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long one operation takes that waits for the one before: what --bench latency measures. The list of them with what
// the Mojo GPU Puzzles claim is in src/run/latency.cpp.
#include "warpz/block.hpp"
#include "warpz/kernel.hpp"

namespace warpz_latency {

/// What the compiler may not look through, so that neither operations cancel out nor one moves past a clock. For the
/// CPU machine each operation is a call into it.
template <class T>
__device__ __forceinline__ void keep([[maybe_unused]] T& v) {
#if defined(__HIP_PLATFORM_NVIDIA__)
  asm volatile("" : "+r"(v));
#elif !defined(__WARPZ_CPU__)
  asm volatile("" : "+v"(v));
#endif
}
#if defined(__HIP_PLATFORM_NVIDIA__)
template <>
__device__ __forceinline__ void keep(float& v) {
  asm volatile("" : "+f"(v));
}
#endif

/// Times `samples` chains of `length` operations, by lane 0's clock. The first one also brings the instructions into
/// the cache.
template <class T, class Operation>
__device__ __forceinline__ void time_chains(long long* times, T* results, T v, int samples, int length,
                                            Operation operation) {
  for (int sample = 0; sample < samples; ++sample) {
    __syncthreads();
    const long long begin = clock64();
    for (int i = 0; i < length; ++i) {
      v = operation(v);
      keep(v);
    }
    const long long end = clock64();
    if (threadIdx.x == 0) times[sample] = end - begin;
  }
  results[threadIdx.x] = v;
}

}  // namespace warpz_latency

#define WARPZ_CHAIN(kernel, type, operation)                                                            \
  __global__ void kernel(long long* times, type* results, const type* input, int samples, int length) { \
    warpz_latency::time_chains(times, results, input[threadIdx.x], samples, length,                     \
                               [](type v) -> type { return operation; });                               \
  }

WARPZ_CHAIN(latency_of_shuffle_down, float, warpz::warp::shuffle_down(v, 1))
WARPZ_KERNEL(latency_of_shuffle_down);

WARPZ_CHAIN(latency_of_shuffle_up, float, warpz::warp::shuffle_up(v, 1))
WARPZ_KERNEL(latency_of_shuffle_up);

WARPZ_CHAIN(latency_of_shuffle_xor, float, warpz::warp::shuffle_xor(v, 1))
WARPZ_KERNEL(latency_of_shuffle_xor);

WARPZ_CHAIN(latency_of_shuffle_idx, float, warpz::warp::shuffle_idx(v, threadIdx.x & 15))
WARPZ_KERNEL(latency_of_shuffle_idx);

WARPZ_CHAIN(latency_of_broadcast, float, warpz::warp::broadcast(v))
WARPZ_KERNEL(latency_of_broadcast);

WARPZ_CHAIN(latency_of_sum, float, warpz::warp::sum(v))
WARPZ_KERNEL(latency_of_sum);

WARPZ_CHAIN(latency_of_max, float, warpz::warp::max(v))
WARPZ_KERNEL(latency_of_max);

WARPZ_CHAIN(latency_of_min, float, warpz::warp::min(v))
WARPZ_KERNEL(latency_of_min);

WARPZ_CHAIN(latency_of_lane_group_sum, float, warpz::warp::lane_group_sum<8>(v))
WARPZ_KERNEL(latency_of_lane_group_sum);

WARPZ_CHAIN(latency_of_prefix_sum, float, warpz::warp::prefix_sum(v))
WARPZ_KERNEL(latency_of_prefix_sum);

WARPZ_CHAIN(latency_of_exclusive_prefix_sum, float, warpz::warp::prefix_sum<true>(v))
WARPZ_KERNEL(latency_of_exclusive_prefix_sum);

WARPZ_CHAIN(latency_of_vote, int, static_cast<int>(warpz::warp::vote(v > 5)) ^ v)
WARPZ_KERNEL(latency_of_vote);

WARPZ_CHAIN(latency_of_match_any, int, static_cast<int>(warpz::warp::match_any(v)) ^ v)
WARPZ_KERNEL(latency_of_match_any);

WARPZ_CHAIN(latency_of_match_all, int, static_cast<int>(warpz::warp::match_all(v)) ^ v)
WARPZ_KERNEL(latency_of_match_all);

WARPZ_CHAIN(latency_of_syncthreads, int, (__syncthreads(), v))
WARPZ_KERNEL(latency_of_syncthreads);

WARPZ_CHAIN(latency_of_block_sum, float, warpz::block::sum(v))
WARPZ_KERNEL(latency_of_block_sum);

WARPZ_CHAIN(latency_of_block_max, float, warpz::block::max(v))
WARPZ_KERNEL(latency_of_block_max);

WARPZ_CHAIN(latency_of_block_broadcast, float, warpz::block::broadcast(v))
WARPZ_KERNEL(latency_of_block_broadcast);

WARPZ_CHAIN(latency_of_block_prefix_sum, float, warpz::block::prefix_sum(v))
WARPZ_KERNEL(latency_of_block_prefix_sum);

/// Each element of the input is the index of the next one to load: far enough away that no cache holds it.
__global__ void latency_of_load(long long* times, int* results, const int* input, int samples, int length) {
  warpz_latency::time_chains(times, results, static_cast<int>(threadIdx.x), samples, length,
                             [input](int v) { return input[v]; });
}
WARPZ_KERNEL(latency_of_load);

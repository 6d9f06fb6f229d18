// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warp and block operations beside rocPRIM's and HIP's, as kernels of which only the instructions are looked at
// (scripts/bench-amd-code). Each loads one value a thread, applies one operation, and stores the result; a kernel
// `copy` of the same types has no operation.
//
// A kernel's name has four parts: the operation, the types of its input and output, and who implements it. Results are
// the same in all lanes or threads that the operation gives them to, except that rocPRIM's float sums may round
// otherwise, and its maximum does not pass over a NaN.
#include <hip/hip_runtime.h>

#include <rocprim/config.hpp>
// Before version 3, rocPRIM takes GFX11 and later for GFX9, whose broadcasts between rows they lack. Its code for GFX10
// runs there.
#if defined(__GFX11__) || defined(__GFX12__)
#undef ROCPRIM_NAVI
#define ROCPRIM_NAVI 1
#endif
#include <rocprim/block/block_reduce.hpp>
#include <rocprim/block/block_scan.hpp>
#include <rocprim/functional.hpp>
#include <rocprim/intrinsics.hpp>
#include <rocprim/warp/warp_reduce.hpp>
#include <rocprim/warp/warp_scan.hpp>

#include "warpz/block.hpp"
#include "warpz/warp.hpp"

namespace {

using mask = unsigned long long;

constexpr unsigned threads = 256;
#ifdef WARPZ_FULL_WARPS
constexpr unsigned known = threads;
#else
constexpr unsigned known = 0;
#endif
#if defined(__GFX9__)
constexpr unsigned lanes = 64;
#else
constexpr unsigned lanes = 32;
#endif

/// An operation that no library knows by its type.
struct bits_of_both {
  __device__ __forceinline__ int operator()(int a, int b) const { return a | b; }
};

template <unsigned group, class T, class Combine>
__device__ __forceinline__ T rocprim_reduce(T v, Combine combine) {
  using reduce = rocprim::warp_reduce<T, group, true>;
  typename reduce::storage_type storage;
  reduce().reduce(v, v, storage, combine);
  return v;
}

template <class T, class Combine>
__device__ __forceinline__ T rocprim_inclusive(T v, Combine combine) {
  using scan = rocprim::warp_scan<T, lanes>;
  typename scan::storage_type storage;
  scan().inclusive_scan(v, v, storage, combine);
  return v;
}

template <class T, class Combine>
__device__ __forceinline__ T rocprim_exclusive(T v, Combine combine) {
  using scan = rocprim::warp_scan<T, lanes>;
  typename scan::storage_type storage;
  scan().exclusive_scan(v, v, T{}, storage, combine);
  return v;
}

/// One ballot for each bit, as rocPRIM does it since version 3.
__device__ __forceinline__ mask match_by_ballots(int v) {
  mask same = __ballot(1);
#pragma unroll
  for (int bit = 0; bit < 32; ++bit) {
    const bool set = (v >> bit & 1) != 0;
    const mask setters = __ballot(set);
    same &= set ? setters : ~setters;
  }
  return same;
}

__device__ __forceinline__ mask match_all_by_ballot(int v) {
  const mask all = __ballot(1);
  return __ballot(v == __builtin_amdgcn_readfirstlane(v)) == all ? all : 0;
}

// The operations of a block end with a barrier where their memory could not be used again at once otherwise, as
// warpz's can.

template <rocprim::block_reduce_algorithm algorithm, class T, class Combine>
__device__ __forceinline__ T rocprim_block_first(T v, Combine combine) {
  using reduce = rocprim::block_reduce<T, threads, algorithm>;
  __shared__ typename reduce::storage_type storage;
  reduce().reduce(v, v, storage, combine);
  __syncthreads();
  return v;
}

template <rocprim::block_reduce_algorithm algorithm, class T, class Combine>
__device__ __forceinline__ T rocprim_block_all(T v, Combine combine) {
  using reduce = rocprim::block_reduce<T, threads, algorithm>;
  __shared__ typename reduce::storage_type storage;
  __shared__ T shared;
  reduce().reduce(v, v, storage, combine);
  if (threadIdx.x == 0) shared = v;
  __syncthreads();
  return shared;
}

template <rocprim::block_scan_algorithm algorithm, class T>
__device__ __forceinline__ T rocprim_block_inclusive(T v) {
  using scan = rocprim::block_scan<T, threads, algorithm>;
  __shared__ typename scan::storage_type storage;
  scan().inclusive_scan(v, v, storage, rocprim::plus<T>());
  __syncthreads();
  return v;
}

template <rocprim::block_scan_algorithm algorithm, class T>
__device__ __forceinline__ T rocprim_block_exclusive(T v) {
  using scan = rocprim::block_scan<T, threads, algorithm>;
  __shared__ typename scan::storage_type storage;
  scan().exclusive_scan(v, v, T{}, storage, rocprim::plus<T>());
  __syncthreads();
  return v;
}

template <class T>
__device__ __forceinline__ T block_broadcast_by_hand(T v) {
  __shared__ T shared;
  if (threadIdx.x == 0) shared = v;
  __syncthreads();
  v = shared;
  __syncthreads();
  return v;
}

}  // namespace

#define KERNEL(operation, in, out, implementation, expression)                       \
  extern "C" __global__ void __launch_bounds__(threads)                              \
      operation##__##in##__##out##__##implementation(out* output, const in* input) { \
    [[maybe_unused]] const in v = input[threadIdx.x];                                \
    output[threadIdx.x] = static_cast<out>(expression);                              \
  }                                                                                  \
  static_assert(true, "takes the semicolon")

#define NUMBERS(type)                                                                                                  \
  KERNEL(copy, type, type, none, v);                                                                                   \
  KERNEL(sum, type, type, warpz, warpz::warp::sum(v));                                                                 \
  KERNEL(sum, type, type, rocprim, (rocprim_reduce<lanes>(v, rocprim::plus<type>())));                                 \
  KERNEL(max, type, type, warpz, warpz::warp::max(v));                                                                 \
  KERNEL(max, type, type, rocprim, (rocprim_reduce<lanes>(v, rocprim::maximum<type>())));                              \
  KERNEL(inclusive_scan, type, type, warpz, warpz::warp::prefix_sum(v));                                               \
  KERNEL(inclusive_scan, type, type, rocprim, rocprim_inclusive(v, rocprim::plus<type>()));                            \
  KERNEL(exclusive_scan, type, type, warpz, warpz::warp::prefix_sum<true>(v));                                         \
  KERNEL(exclusive_scan, type, type, rocprim, rocprim_exclusive(v, rocprim::plus<type>()));                            \
  KERNEL(group_sum_8, type, type, warpz, warpz::warp::lane_group_sum<8>(v));                                           \
  KERNEL(group_sum_8, type, type, rocprim, rocprim_reduce<8>(v, rocprim::plus<type>()));                               \
  KERNEL(group_max_16, type, type, warpz, warpz::warp::lane_group_max<16>(v));                                         \
  KERNEL(group_max_16, type, type, rocprim, rocprim_reduce<16>(v, rocprim::maximum<type>()));                          \
  KERNEL(shuffle_xor_1, type, type, warpz, warpz::warp::shuffle_xor(v, 1));                                            \
  KERNEL(shuffle_xor_1, type, type, rocprim, rocprim::warp_shuffle_xor(v, 1));                                         \
  KERNEL(shuffle_xor_4, type, type, warpz, warpz::warp::shuffle_xor(v, 4));                                            \
  KERNEL(shuffle_xor_4, type, type, rocprim, rocprim::warp_shuffle_xor(v, 4));                                         \
  KERNEL(shuffle_xor_16, type, type, warpz, warpz::warp::shuffle_xor(v, 16));                                          \
  KERNEL(shuffle_xor_16, type, type, rocprim, rocprim::warp_shuffle_xor(v, 16));                                       \
  KERNEL(shuffle_down_1, type, type, warpz, warpz::warp::shuffle_down(v, 1));                                          \
  KERNEL(shuffle_down_1, type, type, rocprim, rocprim::warp_shuffle_down(v, 1));                                       \
  KERNEL(shuffle_down_8_1, type, type, warpz, warpz::warp::shuffle_down<8>(v, 1));                                     \
  KERNEL(shuffle_down_8_1, type, type, rocprim, rocprim::warp_shuffle_down(v, 1, 8));                                  \
  KERNEL(shuffle_up_1, type, type, warpz, warpz::warp::shuffle_up(v, 1));                                              \
  KERNEL(shuffle_up_1, type, type, rocprim, rocprim::warp_shuffle_up(v, 1));                                           \
  KERNEL(shuffle_up_2, type, type, warpz, warpz::warp::shuffle_up(v, 2));                                              \
  KERNEL(shuffle_up_2, type, type, rocprim, rocprim::warp_shuffle_up(v, 2));                                           \
  KERNEL(shuffle_idx, type, type, warpz, warpz::warp::shuffle_idx(v, threadIdx.x & 15));                               \
  KERNEL(shuffle_idx, type, type, rocprim, rocprim::warp_shuffle(v, threadIdx.x & 15));                                \
  KERNEL(broadcast, type, type, warpz, warpz::warp::broadcast(v));                                                     \
  KERNEL(broadcast, type, type, rocprim, rocprim::warp_shuffle(v, 0));                                                 \
  KERNEL(block_sum_to_thread_0, type, type, warpz, (warpz::block::sum<false, known>(v)));                              \
  KERNEL(block_sum_to_thread_0, type, type, rocprim,                                                                   \
         rocprim_block_first<rocprim::block_reduce_algorithm::using_warp_reduce>(v, rocprim::plus<type>()));           \
  KERNEL(block_sum_to_thread_0, type, type, rocprim_raking,                                                            \
         rocprim_block_first<rocprim::block_reduce_algorithm::raking_reduce>(v, rocprim::plus<type>()));               \
  KERNEL(block_sum, type, type, warpz, (warpz::block::sum<true, known>(v)));                                           \
  KERNEL(block_sum, type, type, rocprim,                                                                               \
         rocprim_block_all<rocprim::block_reduce_algorithm::using_warp_reduce>(v, rocprim::plus<type>()));             \
  KERNEL(block_sum, type, type, rocprim_raking,                                                                        \
         rocprim_block_all<rocprim::block_reduce_algorithm::raking_reduce>(v, rocprim::plus<type>()));                 \
  KERNEL(block_max_to_thread_0, type, type, warpz, (warpz::block::max<false, known>(v)));                              \
  KERNEL(block_max_to_thread_0, type, type, rocprim,                                                                   \
         rocprim_block_first<rocprim::block_reduce_algorithm::using_warp_reduce>(v, rocprim::maximum<type>()));        \
  KERNEL(block_max_to_thread_0, type, type, rocprim_raking,                                                            \
         rocprim_block_first<rocprim::block_reduce_algorithm::raking_reduce>(v, rocprim::maximum<type>()));            \
  KERNEL(block_scan, type, type, warpz, (warpz::block::prefix_sum<false, known>(v)));                                  \
  KERNEL(block_scan, type, type, rocprim, rocprim_block_inclusive<rocprim::block_scan_algorithm::using_warp_scan>(v)); \
  KERNEL(block_scan, type, type, rocprim_then_scan,                                                                    \
         rocprim_block_inclusive<rocprim::block_scan_algorithm::reduce_then_scan>(v));                                 \
  KERNEL(block_exclusive_scan, type, type, warpz, (warpz::block::prefix_sum<true, known>(v)));                         \
  KERNEL(block_exclusive_scan, type, type, rocprim,                                                                    \
         rocprim_block_exclusive<rocprim::block_scan_algorithm::using_warp_scan>(v));                                  \
  KERNEL(block_exclusive_scan, type, type, rocprim_then_scan,                                                          \
         rocprim_block_exclusive<rocprim::block_scan_algorithm::reduce_then_scan>(v));                                 \
  KERNEL(block_broadcast, type, type, warpz, warpz::block::broadcast<known>(v));                                       \
  KERNEL(block_broadcast, type, type, by_hand, block_broadcast_by_hand(v))

NUMBERS(int);
NUMBERS(float);
NUMBERS(double);
NUMBERS(long);

KERNEL(reduce_or, int, int, warpz, warpz::warp::reduce(warpz::warp::xor_lanes, v, bits_of_both()));
KERNEL(reduce_or, int, int, rocprim, rocprim_reduce<lanes>(v, bits_of_both()));
KERNEL(group_or_8, int, int, warpz, warpz::warp::lane_group_reduce<8>(warpz::warp::xor_lanes, v, bits_of_both()));
KERNEL(group_or_8, int, int, rocprim, rocprim_reduce<8>(v, bits_of_both()));
KERNEL(inclusive_scan_or, int, int, warpz, warpz::warp::scan(v, bits_of_both(), 0));
KERNEL(inclusive_scan_or, int, int, rocprim, rocprim_inclusive(v, bits_of_both()));
KERNEL(exclusive_scan_or, int, int, warpz, warpz::warp::scan<true>(v, bits_of_both(), 0));
KERNEL(exclusive_scan_or, int, int, rocprim, rocprim_exclusive(v, bits_of_both()));

KERNEL(copy, int, mask, none, v);
KERNEL(vote, int, mask, warpz, warpz::warp::vote(v > 5));
KERNEL(vote, int, mask, rocprim, rocprim::ballot(v > 5));
KERNEL(match_any, int, mask, warpz, warpz::warp::match_any(v));
KERNEL(match_any, int, mask, ballots, match_by_ballots(v));
KERNEL(match_all, int, mask, warpz, warpz::warp::match_all(v));
KERNEL(match_all, int, mask, ballots, match_all_by_ballot(v));
KERNEL(any, int, int, warpz, warpz::warp::any(v > 5) ? 1 : 0);
KERNEL(any, int, int, hip, __any(v > 5));
KERNEL(all, int, int, warpz, warpz::warp::all(v > 5) ? 1 : 0);
KERNEL(all, int, int, hip, __all(v > 5));

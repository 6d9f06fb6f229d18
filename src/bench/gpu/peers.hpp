// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUB's, cooperative groups' and the raw intrinsics' implementations of rows (rows.hpp), and an operation of the
// caller's own that all of them are given.
#pragma once

#include "rows.hpp"

#ifndef WARPZ_BENCH_ALONE
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#include <cuda/functional>
#endif

namespace bench {

/// An operation of the caller's own, which no library knows.
struct times {
  template <class T>
  __device__ __forceinline__ T operator()(const T& a, const T& b) const {
    return a * b;
  }
};

/// times, for what gives its operation the operands of the higher lanes first, as cooperative groups' scans do.
struct times_flipped {
  template <class T>
  __device__ __forceinline__ T operator()(const T& a, const T& b) const {
    return times()(b, a);
  }
};

#ifndef WARPZ_BENCH_ALONE

namespace cg = cooperative_groups;

// The greater and the lesser of two as warpz has them: of floats a NaN counts only if there is nothing else, which the
// others' own operations leave open, and cost less for. Of integers the others' own, which they have short ways for.

struct greater_float {
  template <class T>
  __device__ __forceinline__ T operator()(const T& a, const T& b) const {
    if constexpr (std::is_same<T, float>::value) {
      return fmaxf(a, b);
    } else if constexpr (std::is_same<T, double>::value) {
      return fmax(a, b);
    } else {
      return __hmax(a, b);
    }
  }
};

struct lesser_float {
  template <class T>
  __device__ __forceinline__ T operator()(const T& a, const T& b) const {
    if constexpr (std::is_same<T, float>::value) {
      return fminf(a, b);
    } else if constexpr (std::is_same<T, double>::value) {
      return fmin(a, b);
    } else {
      return __hmin(a, b);
    }
  }
};

template <class T, class OfIntegers, class OfFloats>
using by_type = std::conditional_t<std::is_integral<T>::value, OfIntegers, OfFloats>;

template <class T>
using cub_max = by_type<T, cuda::maximum<>, greater_float>;
template <class T>
using cub_min = by_type<T, cuda::minimum<>, lesser_float>;
template <class T>
using cg_max = by_type<T, cg::greater<T>, greater_float>;
template <class T>
using cg_min = by_type<T, cg::less<T>, lesser_float>;

constexpr unsigned everyone = 0xffffffffU;

/// The lanes of the caller's warp that exist, for intrinsics and CUB.
struct lanes_here {
  unsigned lane, count, mask;

  __device__ __forceinline__ lanes_here() {
    lane = threadIdx.x % 32;
    const unsigned from_here = blockDim.x - (threadIdx.x - lane);
    count = from_here < 32 ? from_here : 32;
    mask = everyone >> (32 - count);
  }

  /// How many lanes the caller's segment of `width` lanes has.
  __device__ __forceinline__ int of_segment(unsigned width) const {
    const unsigned from_segment = count - lane / width * width;
    return static_cast<int>(from_segment < width ? from_segment : width);
  }

  /// As warpz has it: what comes from a lane that does not exist leaves the lane its own.
  template <class T>
  __device__ __forceinline__ T choose(unsigned source, T other, T own) const {
    return source < count ? other : own;
  }
};

template <class T>
__device__ __forceinline__ unsigned all_that_match(T v, unsigned mask = everyone) {
  int same = 0;
  return __match_all_sync(mask, v, &same);
}

/// By hand, as there is no peer.
__device__ __forceinline__ int place_in_partition(unsigned mask, bool first) {
  const unsigned firsts = __ballot_sync(mask, first), lane = threadIdx.x % 32;
  const int below = __popc(firsts & ((1U << lane) - 1));
  return first ? below : __popc(firsts) + static_cast<int>(lane) - below;
}

struct warp_tile {
  cg::thread_block_tile<32, cg::thread_block> group = cg::tiled_partition<32>(cg::this_thread_block());
};

template <unsigned lanes>
struct lane_tile {
  cg::thread_block_tile<lanes, cg::thread_block> group = cg::tiled_partition<lanes>(cg::this_thread_block());
};

/// For blocks that end within a warp.
struct coalesced_lanes {
  cg::coalesced_group group = cg::coalesced_threads();
};

struct coalesced_eights {
  cg::coalesced_group group = cg::tiled_partition(cg::coalesced_threads(), 8);
};

/// A tile of several warps, with its shared memory.
template <unsigned threads>
__device__ __forceinline__ cg::thread_block block_with_memory() {
  __shared__ cg::block_tile_memory<threads> memory;
  return cg::this_thread_block(memory);
}

template <unsigned threads>
struct block_tile {
  cg::thread_block_tile<threads, cg::thread_block> group = cg::tiled_partition<threads>(block_with_memory<threads>());
};

/// CUB's collective of the caller's logical warp of `lanes` lanes.
template <class Collective, unsigned lanes>
__device__ __forceinline__ Collective of_warp() {
  __shared__ typename Collective::TempStorage storage[most_threads / lanes];
  return Collective(storage[threadIdx.x / lanes]);
}

template <class T, unsigned lanes = 32>
__device__ __forceinline__ auto warp_reduce() {
  return of_warp<cub::WarpReduce<T, lanes>, lanes>();
}

/// The result of each segment's first lane, the only one to whom CUB gives it, in all lanes of the segment.
template <unsigned lanes = 32, class T>
__device__ __forceinline__ T from_first_lane(T result, unsigned mask = everyone) {
  return __shfl_sync(mask, result, 0, lanes);
}

template <class T>
__device__ __forceinline__ auto warp_scan() {
  return of_warp<cub::WarpScan<T>, 32>();
}

/// CUB's collective of the block, whose memory may be used again after finished() or from_first().
template <class Collective>
__device__ __forceinline__ Collective of_block() {
  __shared__ typename Collective::TempStorage storage;
  return Collective(storage);
}

template <class T, int threads>
__device__ __forceinline__ auto block_reduce() {
  return of_block<cub::BlockReduce<T, threads>>();
}

template <class T, int threads>
__device__ __forceinline__ auto block_scan() {
  return of_block<cub::BlockScan<T, threads, cub::BLOCK_SCAN_WARP_SCANS>>();
}

template <class T, int threads>
__device__ __forceinline__ auto block_scan_raking() {
  return of_block<cub::BlockScan<T, threads, cub::BLOCK_SCAN_RAKING>>();
}

template <class T>
__device__ __forceinline__ T finished(T result) {
  __syncthreads();
  return result;
}

/// Thread 0's result for all.
template <class T>
__device__ __forceinline__ T from_first(T result) {
  __shared__ T shared;
  if (threadIdx.x == 0) shared = result;
  __syncthreads();
  return shared;
}

#endif

}  // namespace bench

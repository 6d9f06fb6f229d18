// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations over all threads of a block, by the same names for AMD, NVIDIA and the CPU machine.
//
// Each is a collective: all threads of the block take part, at the same call, and none of them has returned. Where some
// don't, the others wait for ever, or get what is undefined; the CPU machine ends the kernel with a finding that names
// them. Blocks have 1 to 1024 threads in one to three dimensions, in whole warps or not; threads are numbered with x
// fastest, then y, then z. Each may be called again at once, and in a loop.
//
// `threads`, where it is given, as in `warpz::block::sum<true, 256>(v)`, says that the block has so many, all in x.
// Then nothing has to be computed from the block's shape, and results are the same, but for fast_prefix_sum. The CPU
// machine ends a kernel whose block has another shape, with a failed assertion; a GPU does not notice.
//
// Each is a warp operation, one pass through shared memory, and a warp operation on what the warps found: of the first
// warp, or on AMD, where the block is known to consist of whole warps, of every warp. On NVIDIA, where `threads` says
// that there are 2, 4 or 8 warps, none of fewer than 8 threads, a thread combines by itself what they found, and 64-bit
// integers (before sm_80, all) are scanned as fast_prefix_sum does it. A block of one warp needs no shared memory. None
// of them orders what the threads wrote elsewhere: for that there is warpz::barrier().
//
// Never pass the last parameter, `at`: it carries the caller's line to the findings.
#pragma once

#include <hip/hip_runtime.h>

#include "warpz/detail/block_collectives.hpp"
#include "warpz/detail/platform.hpp"
#include "warpz/warp.hpp"

namespace warpz {
namespace block {

/// The sum of all threads' values: in all threads, or with `broadcast` = false in thread 0, and what the others get is
/// of no use.
///
/// All threads of the block take part. Integers wrap. Floats: each warp is added up as in warp::sum, then the warps'
/// sums are, in the same way, as if each were a lane; no addition is fused with a multiplication. So for one warp size
/// the same values give the same bits on every run and platform, whatever the block's dimensions; with 32 lanes it may
/// round differently than with 64. Types as in warp::sum. Other names: block.sum (Mojo), BlockReduce (CUB, hipCUB).
template <bool broadcast = true, unsigned threads = 0, class _Tp>
__device__ __forceinline__ _Tp sum(_Tp v, detail::site at = detail::here("block::sum")) {
  return detail::reduce_block<broadcast, threads>(
      v, detail::plus{}, [](_Tp) { return detail::adds_nothing<_Tp>(); }, at);
}

/// The greatest of all threads' values: in all threads, or with `broadcast` = false in thread 0, and what the others
/// get is of no use.
///
/// All threads of the block take part. As fmax does it: a NaN counts only if there is nothing else, and the sign of a
/// zero is either's; if all are −∞ it is −∞. Types as in warp::max. Other names: block.max (Mojo), BlockReduce (CUB).
template <bool broadcast = true, unsigned threads = 0, class _Tp>
__device__ __forceinline__ _Tp max(_Tp v, detail::site at = detail::here("block::max")) {
  return detail::reduce_block<broadcast, threads>(
      v, detail::max_operation{}, [](_Tp of_first) { return of_first; }, at);
}

/// The least of all threads' values: in all threads, or with `broadcast` = false in thread 0, and what the others get
/// is of no use.
///
/// All threads of the block take part. As fmin does it: a NaN counts only if there is nothing else, and the sign of a
/// zero is either's; if all are ∞ it is ∞. Types as in warp::min. Other names: block.min (Mojo), BlockReduce (CUB).
template <bool broadcast = true, unsigned threads = 0, class _Tp>
__device__ __forceinline__ _Tp min(_Tp v, detail::site at = detail::here("block::min")) {
  return detail::reduce_block<broadcast, threads>(
      v, detail::min_operation{}, [](_Tp of_first) { return of_first; }, at);
}

/// Thread `src_thread`'s value, in all threads.
///
/// All threads of the block take part and give the same `src_thread`; if the block has no such thread each keeps its
/// own value. `v` is of any trivially copyable type; the block's shared memory holds one such value. Other names:
/// block.broadcast (Mojo).
template <unsigned threads = 0, class _Tp>
__device__ __forceinline__ _Tp broadcast(_Tp v, unsigned src_thread = 0,
                                         detail::site at = detail::here("block::broadcast")) {
  return detail::broadcast_in_block<threads>(v, src_thread, at);
}

/// The sum of the values of the threads up to and including the caller's, in each thread; with `exclusive` the sum of
/// those before it, which is 0 in thread 0:
///
///     thread                 0   1   2   3
///     v                      3   1   4   1
///     prefix_sum(v)          3   4   8   9
///     prefix_sum<true>(v)    0   3   4   8
///
/// All threads of the block take part. Integers wrap. Floats: each warp is scanned as in warp::prefix_sum, the warps'
/// sums are scanned in the same way, as if each were a lane, and the sum of the warps before is added to each of a
/// warp's results; no addition is fused with a multiplication. So for one warp size the bits are the same on every run
/// and platform. The exclusive result is the inclusive one of the thread before, bit by bit.
/// Types as in warp::prefix_sum. Other names: block.prefix_sum (Mojo), BlockScan (CUB, hipCUB).
template <bool exclusive = false, unsigned threads = 0, class _Tp>
__device__ __forceinline__ _Tp prefix_sum(_Tp v, detail::site at = detail::here("block::prefix_sum")) {
  return detail::scan_block<exclusive, threads, false>(v, at);
}

/// prefix_sum for a GPU that is full, whatever the order of additions. All threads of the block take part.
///
/// Integers: as prefix_sum. Floats are added in an order that depends on the platform, on `threads` and on `exclusive`,
/// and may therefore round differently from prefix_sum; the same values in the same block give the same bits on every
/// run. The exclusive result need not be the inclusive one of the thread before. No addition is fused with a
/// multiplication. Types as in warp::prefix_sum.
///
/// On NVIDIA, where `threads` says that there are 2, 4 or 8 warps, none of fewer than 8 threads, by raking: the first
/// warp scans for all, and the others leave the multiprocessor to other blocks (Dotsenko et al., Fast scan algorithms
/// on graphics processors, 2008). It takes shared memory for 32 values more than the block has threads. Elsewhere, with
/// WARPZ_PORTABLE, and for inclusive sums of doubles, it is prefix_sum. Other names: BlockScan with BLOCK_SCAN_RAKING
/// (CUB).
template <bool exclusive = false, unsigned threads = 0, class _Tp>
__device__ __forceinline__ _Tp fast_prefix_sum(_Tp v, detail::site at = detail::here("block::fast_prefix_sum")) {
  return detail::scan_block<exclusive, threads, true>(v, at);
}

}  // namespace block
}  // namespace warpz

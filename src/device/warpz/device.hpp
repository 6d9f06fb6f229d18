// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations over an array of any size, by all blocks of a grid in one launch.
//
// Each is called once by every thread of the grid, in blocks of device::block_threads threads in one dimension:
//
//     __global__ void __launch_bounds__(warpz::device::block_threads)
//     running_sum(float* output, const float* input, unsigned* state, int size) {
//       warpz::device::prefix_sum(output, input, size, state);
//     }
//
// There may be any number of blocks, from 1 on; device::blocks_for<T>(size) and, for sum, max and min, reduce_blocks
// are good ones. A compiler should leave registers for several blocks at once, by
// __launch_bounds__(device::block_threads, N): N is scan_blocks() for prefix_sum, and for an H100 4 for compact and
// partition<false>, 3 for partition, and 2 for sort. The array has 1 to 2^31 elements. Arrays and `state` are aligned
// to 16 bytes, as memory of hipMalloc is. `state` is global memory of the operation's own, through which the blocks
// hand each other values: as many 32-bit words as device_state.hpp says, all zero before the first launch. Later ones,
// one after the other, find it as they need it, also for other sizes that it has room for; only of sort's the first
// sort_zeros words have to be zero before each launch. Clear it after a launch that did not end, and after four billion
// launches.
//
// The results are written when the kernel has ended; within it, no thread can rely on them.
//
// Never pass the last parameter, `at`: it carries the caller's line to the findings.
#pragma once

#include <hip/hip_runtime.h>

#include <cstddef>

#include "warpz/detail/device_reduce.hpp"
#include "warpz/detail/device_scan.hpp"
#include "warpz/detail/device_sort.hpp"
#include "warpz/detail/device_split.hpp"
#include "warpz/device_state.hpp"

namespace warpz {
namespace device {

/// *output = the sum of all elements.
///
/// All threads of the grid take part. Integers wrap. Floats are added in an order that depends on the size and the warp
/// size alone: the same bits on every run and platform, and for every number of blocks. `state` has
/// reduce_state<T>(size) words. Types: numbers of 8 to 64 bits, __half and bfloat16 among them, which are added as
/// float and rounded once, in the end. Nobody waits for another block: the one that arrives last adds up what the
/// others left. Other names: cub::DeviceReduce::Sum, rocprim::reduce.
template <class _Tp>
__device__ __forceinline__ void sum(_Tp* output, const _Tp* input, std::size_t size, void* state,
                                    detail::site at = detail::here("device::sum")) {
  detail::reduce_device(output, input, size, state, detail::device_sum{}, at);
}

/// *output = the greatest element.
///
/// All threads of the grid take part. As fmax does it: a NaN counts only if there is nothing else, and the sign of a
/// zero is either's. State and types as in sum. Other names: cub::DeviceReduce::Max.
template <class _Tp>
__device__ __forceinline__ void max(_Tp* output, const _Tp* input, std::size_t size, void* state,
                                    detail::site at = detail::here("device::max")) {
  detail::reduce_device(output, input, size, state, detail::device_max{}, at);
}

/// *output = the least element.
///
/// All threads of the grid take part. As fmin does it: a NaN counts only if there is nothing else, and the sign of a
/// zero is either's. State and types as in sum. Other names: cub::DeviceReduce::Min.
template <class _Tp>
__device__ __forceinline__ void min(_Tp* output, const _Tp* input, std::size_t size, void* state,
                                    detail::site at = detail::here("device::min")) {
  detail::reduce_device(output, input, size, state, detail::device_min{}, at);
}

/// Blocks of prefix_sum that a multiprocessor should have room for, for __launch_bounds__: more where tiles lie in
/// shared memory, fewer where they lie in registers. Any thread may call it, also on the host. Other names: none.
constexpr unsigned scan_blocks() { return detail::copies_in_bulk ? 4 : 2; }

/// output[i] = input[0] + … + input[i]; with `exclusive`, the sum of those before it, which is 0 for i = 0:
///
///     input                  3   1   4   1
///     prefix_sum             3   4   8   9
///     prefix_sum<true>       0   3   4   8
///
/// All threads of the grid take part. Integers wrap. Floats are added in an order that depends on the size and the warp
/// size alone, and no addition is fused with a multiplication: the same bits on every run and platform, and for every
/// number of blocks. `output` may be `input`. `state` has scan_state<T>(size) words. Types as in sum: of __half and
/// bfloat16 each result is rounded once, and none is added to further ones.
///
/// Each element is read and written once. Blocks take tiles by tickets and wait for the sums of lower ones: decoupled
/// look-back (Merrill and Garland, 2016), here with sums of groups. Forward progress: a tile with a lower
/// ticket is being worked on by a block that has begun, and waits for lower ones alone. Other names:
/// cub::DeviceScan::InclusiveSum, ExclusiveSum; rocprim::inclusive_scan.
template <bool exclusive = false, class _Tp>
__device__ __forceinline__ void prefix_sum(_Tp* output, const _Tp* input, std::size_t size, void* state,
                                           detail::site at = detail::here("device::prefix_sum")) {
  detail::scan_device<exclusive>(output, input, size, state, at);
}

/// The elements for which `p` holds, in front and in their order; returns how many they are, in all threads. What lies
/// behind them in `output` is left alone.
///
///     input                       3   9   1   7   2
///     compact, of those below 5   3   1   2               returns 3
///
/// All threads of the grid take part. `p` is a predicate of an element, the same whenever it is called; it calls no
/// collective. `output` is not `input`. `state` has split_state<T>(size) words. Types: numbers of 8 to 64 bits.
///
/// Each element is read once, and blocks wait for lower tiles as in prefix_sum. The number is known when the last tile
/// is done, for which all blocks wait in the end; each tile was taken by a block that has begun, so that ends, too.
/// Other names: cub::DeviceSelect::If, rocprim::select, stream compaction.
template <class _Tp, class _Predicate>
__device__ __forceinline__ std::size_t compact(_Tp* output, const _Tp* input, std::size_t size, _Predicate p,
                                               void* state, detail::site at = detail::here("device::compact")) {
  const auto put = [=](bool, std::size_t rank, _Tp v) { detail::store_streaming(output + rank, v); };
  return detail::split_device<false>(input, size, p, put, state, at);
}

/// The elements for which `p` holds in front, and the others behind them, both in their order; returns how many are in
/// front, in all threads. Without `stable` the others come in the opposite order:
///
///     input                                3   9   1   7   2
///     partition, those below 5 in front    3   1   2   9   7       returns 3
///     partition<false>                     3   1   2   7   9
///
/// All threads of the grid take part. `p`, state and types as in compact; `output` is not `input`.
///
/// Without `stable` each element is read and written once, and a block needs what prefix_sum's needs. The stable one
/// counts first, and so reads the input twice: where an element of the others belongs depends on how many are in front
/// in all. Other names: cub::DevicePartition::If (as without `stable`), std::stable_partition.
template <bool stable = true, class _Tp, class _Predicate>
__device__ __forceinline__ std::size_t partition(_Tp* output, const _Tp* input, std::size_t size, _Predicate p,
                                                 void* state, detail::site at = detail::here("device::partition")) {
  if constexpr (stable) {
    return detail::partition_device(output, input, size, p, state, at);
  } else {
    const auto put = [=](bool is_chosen, std::size_t rank, _Tp v) {
      detail::store_streaming(output + (is_chosen ? rank : size - 1 - rank), v);
    };
    return detail::split_device<true>(input, size, p, put, state, at);
  }
}

/// The elements in ascending order. -0 comes before 0, and NaNs come last.
///
/// All threads of the grid take part. `output` may be `input`. `state` has sort_state<T>(size) words, among them room
/// for the elements. Types: numbers of 8 to 64 bits. Equal bits cannot be told apart, so nothing depends on the
/// schedule.
///
/// Up to 4,096 keys of 64 bits, 8,192 of 32 and 16, and 32,768 of 8 are sorted by one block, in shared memory.
/// Beyond, a radix sort in one launch: all digits of 8 bits are counted, then a pass for each one, from the least
/// significant, moves the keys (Adinets and Merrill, Onesweep, 2022). Keys of 8 bits are not moved: each is written as
/// often as it was counted. Forward progress: blocks take tiles of all passes by tickets and wait for lower ones alone,
/// which blocks that have begun are working on. Other names: cub::DeviceRadixSort::SortKeys, rocprim::radix_sort_keys.
template <class _Tp>
__device__ __forceinline__ void sort(_Tp* output, const _Tp* input, std::size_t size, void* state,
                                     detail::site at = detail::here("device::sort")) {
  detail::sort_device(output, input, size, state, blockIdx.x, at);
}

}  // namespace device
}  // namespace warpz

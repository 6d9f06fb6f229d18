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
// There may be any number of blocks, from 1 on; device::blocks_for<T>(size) is a good one. The array has 1 to 2^31
// elements. Arrays and `state` are aligned to 16 bytes, as memory of hipMalloc is. `state` is global memory of the
// operation's own, through which the blocks hand each other values: as many 32-bit words as device_state.hpp says, all
// zero at the launch. Nothing can be said of it afterwards.
//
// The results are written when the kernel has ended; within it, no thread can rely on them.
//
// The last parameter, `at`, is never given: it carries the caller's line to the findings.
#pragma once

#include <hip/hip_runtime.h>

#include <cstddef>

#include "warpz/detail/device_reduce.hpp"
#include "warpz/detail/device_scan.hpp"
#include "warpz/device_state.hpp"

namespace warpz {
namespace device {

/// *output = the sum of all elements.
///
/// All threads of the grid take part. Integers wrap. Floats are added in an order that depends on the size and the warp
/// size alone: the same bits on every run and platform, and for every number of blocks. `state` has
/// reduce_state<T>(size) words. Types: numbers of 32 and 64 bits. Nobody waits for another block: the one that arrives
/// last adds up what the others left. Other names: cub::DeviceReduce::Sum, rocprim::reduce.
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

/// output[i] = input[0] + … + input[i]; with `exclusive`, the sum of those before it, which is 0 for i = 0:
///
///     input                  3   1   4   1
///     prefix_sum             3   4   8   9
///     prefix_sum<true>       0   3   4   8
///
/// All threads of the grid take part. Integers wrap. Floats are added in an order that depends on the size and the warp
/// size alone, and no addition is fused with a multiplication: the same bits on every run and platform, and for every
/// number of blocks. `output` may be `input`. `state` has scan_state<T>(size) words. Types: numbers of 32 and 64 bits.
///
/// Each element is read and written once. Blocks take tiles by tickets and wait for the sums of lower ones: decoupled
/// look-back (Merrill and Garland, 2016), here with sums of groups. It ends although blocks wait:
/// detail/device_look_back.hpp says why. Other names: cub::DeviceScan::InclusiveSum, ExclusiveSum;
/// rocprim::inclusive_scan.
template <bool exclusive = false, class _Tp>
__device__ __forceinline__ void prefix_sum(_Tp* output, const _Tp* input, std::size_t size, void* state,
                                           detail::site at = detail::here("device::prefix_sum")) {
  detail::scan_device<exclusive>(output, input, size, state, at);
}

}  // namespace device
}  // namespace warpz

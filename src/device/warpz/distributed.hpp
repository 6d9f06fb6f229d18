// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations over an array that lies on several GPUs of a host: those of warpz/device.hpp, with the same bits as on one
// GPU of the same warp size.
//
//     warpz::distributed::gpu_group group({0, 1});
//     const auto dealt = warpz::distributed::scan_layout<float>(size, group.size());
//     // … each GPU's memory gets dealt.elements_of(gpu) elements, on group.stream(gpu) …
//     warpz::distributed::prefix_sum(group, array<float>{dealt, output}, array<const float>{dealt, input});
//     group.synchronize();
//
// These are host functions. They queue their kernels on the group's streams and return; where their memory has to grow,
// they wait. Work that is queued on any of these streams before belongs before the operation, and work queued behind it
// begins on each GPU when all GPUs are done. Arrays have 1 to 2^31 elements and lie as the *_layout functions of
// warpz/distributed_array.hpp say: each GPU begins with its elements and ends with its results. `output` and `input`
// share no memory. Types: numbers of 32 and 64 bits. Failures are thrown as distributed::error, among them that NCCL or
// RCCL is missing.
#pragma once

#include <hip/hip_runtime.h>

#include <cstddef>

#include "warpz/detail/distributed_reduce.hpp"
#include "warpz/detail/distributed_scan.hpp"
#include "warpz/detail/distributed_sort.hpp"
#include "warpz/detail/distributed_split.hpp"
#include "warpz/distributed_array.hpp"
#include "warpz/gpu_group.hpp"

namespace warpz {
namespace distributed {

/// *output[gpu] = the sum of all elements, on each GPU.
///
/// A host function; `input` lies as reduce_layout says. Added as by device::sum. Other names: ncclAllReduce of each
/// GPU's sum, whose bits depend on the number of GPUs.
template <class _Tp>
void sum(gpu_group& group, const per_gpu<_Tp*>& output, const array<const _Tp>& input) {
  detail::reduce_on_all(group, output, input, detail::device_sum{});
}

/// output[i] = input[0] + … + input[i]; with `exclusive`, the sum of those before it.
///
/// A host function; both lie as scan_layout says. Added as by device::prefix_sum: each element is read and written
/// once, by its own GPU. Other names: none.
template <bool exclusive = false, class _Tp>
void prefix_sum(gpu_group& group, const array<_Tp>& output, const array<const _Tp>& input) {
  detail::scan_on_all<exclusive>(group, output, input);
}

/// Moves each GPU's elements for which `p` holds to the front of its output, in their order. Returns, for each GPU, the
/// place in its memory of how many each GPU of the group has. What lies behind them in `output` is left alone.
///
///     input         3   9   1 | 7   2   4          two GPUs
///     those below 5 3   1   .   2   4   .          in all 3 1 2 4, of which 2 and 2 on a GPU
///
/// A host function; both lie as part_layout says. `p` is a predicate for kernels, as in device::compact. The numbers
/// lie there until the next operation. No element leaves its GPU: to move them would take longer than all else. Other
/// names: none.
template <class _Tp, class _Predicate>
per_gpu<unsigned long long*> compact(gpu_group& group, const array<_Tp>& output, const array<const _Tp>& input,
                                     const _Predicate& p) {
  return detail::split_on_all<false>(group, output, input, p);
}

/// Moves each GPU's elements for which `p` holds to the front of its output, and the others behind them, both in their
/// order. Returns what compact returns.
///
///     input         3   9   1 | 7   2   4          two GPUs
///     those below 5 3   1   9 | 2   4   7          in all 3 1 2 4 and then 9 7
///
/// A host function; layouts and `p` as in compact. Other names: none.
template <class _Tp, class _Predicate>
per_gpu<unsigned long long*> partition(gpu_group& group, const array<_Tp>& output, const array<const _Tp>& input,
                                       const _Predicate& p) {
  return detail::split_on_all<true>(group, output, input, p);
}

/// The elements in ascending order, as by device::sort.
///
/// A host function; both lie as part_layout says. Two GPUs exchange half of their keys in the first passes of a radix
/// sort, from 2^24 keys on. More GPUs, and two with fewer keys, sort their parts and merge what belongs to their place,
/// for which almost all keys of many GPUs move. Other names: a radix sort by splitters, a merge sort by splitters.
template <class _Tp>
void sort(gpu_group& group, const array<_Tp>& output, const array<const _Tp>& input) {
  detail::sort_on_all(group, output, input);
}

}  // namespace distributed
}  // namespace warpz

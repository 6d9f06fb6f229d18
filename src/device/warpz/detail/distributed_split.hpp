// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Partition and compaction of warpz/distributed.hpp: each GPU sorts out its own part, and all are told how many each
// has chosen.
#pragma once

#include <hip/hip_runtime.h>

#include <cstddef>

#include "warpz/detail/device_split.hpp"
#include "warpz/detail/grid_constant.hpp"
#include "warpz/gpu_group.hpp"

namespace warpz {
namespace detail {

using gpu_counts = distributed::per_gpu<unsigned long long*>;

/// What the GPU chooses goes to its place in `counts`, behind which its state is.
template <bool moves_rest, class _Tp, class _Predicate>
__global__ void __launch_bounds__(device::block_threads, moves_rest ? 3 : 4)
    split_parts(WARPZ_GRID_CONSTANT distributed::array<_Tp> output,
                WARPZ_GRID_CONSTANT distributed::array<const _Tp> input, WARPZ_GRID_CONSTANT gpu_counts counts,
                unsigned first_gpu, _Predicate p) {
  const site at = here("distributed::partition");
  const unsigned gpu = first_gpu + blockIdx.x;
  const _Tp* const from = input.part[gpu];
  _Tp* const to = output.part[gpu];
  const std::size_t size = input.dealt.elements_of(gpu);
  void* const state = counts[gpu] + distributed::max_gpus;
  std::size_t chosen = 0;
  if constexpr (moves_rest) {
    chosen = partition_device(to, from, size, p, state, at);
  } else {
    const auto put = [to](bool, std::size_t rank, _Tp v) { store_streaming(to + rank, v); };
    chosen = split_device<false>(from, size, p, put, state, at);
  }
  if (blockIdx.y == 0 && thread_in_tile() == 0) counts[gpu][gpu] = chosen;
}

template <bool moves_rest, class _Tp, class _Predicate>
gpu_counts split_on_all(distributed::gpu_group& group, const distributed::array<_Tp>& output,
                        const distributed::array<const _Tp>& input, const _Predicate& p) {
  static_assert(is_number<_Tp> && sizeof(_Tp) >= sizeof(unsigned), "for numbers of 32 and 64 bits");
  const std::size_t elements = input.dealt.elements_of(0);
  const std::size_t bytes =
      distributed::max_gpus * sizeof(unsigned long long) + device::split_state<_Tp>(elements) * sizeof(unsigned);
  const auto counts = group.memory<unsigned long long>(distributed::seen::at_end, bytes, bytes);
  group.launch(device::blocks_for<_Tp>(elements), [&](dim3 grid, hipStream_t stream, unsigned gpu) {
    hipLaunchKernelGGL((split_parts<moves_rest, _Tp, _Predicate>), grid, dim3(device::block_threads), 0, stream, output,
                       input, counts, gpu, p);
  });
  group.all_gather(counts, sizeof(unsigned long long));
  return counts;
}

}  // namespace detail
}  // namespace warpz

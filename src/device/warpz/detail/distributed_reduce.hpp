// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of warpz/distributed.hpp: each GPU reduces the chunks that it has, to the results that one GPU would have
// for them; those are gathered on all GPUs, and reduced there.
#pragma once

#include <hip/hip_runtime.h>

#include <cstddef>

#include "warpz/detail/device_reduce.hpp"
#include "warpz/detail/grid_constant.hpp"
#include "warpz/gpu_group.hpp"

namespace warpz {
namespace detail {

template <class _Tp, class _Combine>
__global__ void __launch_bounds__(device::block_threads)
    reduce_parts(WARPZ_GRID_CONSTANT distributed::per_gpu<_Tp*> results,
                 WARPZ_GRID_CONSTANT distributed::array<const _Tp> input, std::size_t length, unsigned first_gpu,
                 _Combine combine) {
  const unsigned gpu = first_gpu + blockIdx.x;
  const std::size_t elements = input.dealt.elements_of(gpu), before = gpu * (input.dealt.stripe / length);
  for (std::size_t chunk = blockIdx.y; chunk * length < elements; chunk += gridDim.y) {
    const std::size_t first = chunk * length, end = first + length < elements ? first + length : elements;
    const _Tp of_chunk = reduce_chunk(input.part[gpu], first, end, combine, here("distributed::sum"));
    if (thread_in_tile() == 0) results[gpu][before + chunk] = of_chunk;
  }
}

template <class _Tp, class _Combine>
__global__ void __launch_bounds__(device::block_threads)
    reduce_results(WARPZ_GRID_CONSTANT distributed::per_gpu<_Tp*> output,
                   WARPZ_GRID_CONSTANT distributed::per_gpu<_Tp*> results, std::size_t chunks, unsigned first_gpu,
                   _Combine combine) {
  const unsigned gpu = first_gpu + blockIdx.x;
  const _Tp* const all = results[gpu];
  const _Tp result = reduce_chunk(all, 0, chunks, combine, here("distributed::sum"));
  if (thread_in_tile() == 0) *output[gpu] = result;
}

template <class _Tp, class _Combine>
void reduce_on_all(distributed::gpu_group& group, const distributed::per_gpu<_Tp*>& output,
                   const distributed::array<const _Tp>& input, const _Combine& combine) {
  static_assert(is_number<_Tp> && sizeof(_Tp) >= sizeof(unsigned), "for numbers of 32 and 64 bits");
  const dim3 block(device::block_threads);
  const std::size_t length = chunk_elements<_Tp>(input.dealt.size), of_gpu = input.dealt.stripe / length;
  const auto results = group.memory<_Tp>(distributed::seen::at_end, sizeof(_Tp) * of_gpu * group.size(), 0);
  group.launch(of_gpu, [&](dim3 grid, hipStream_t stream, unsigned gpu) {
    hipLaunchKernelGGL((reduce_parts<_Tp, _Combine>), grid, block, 0, stream, results, input, length, gpu, combine);
  });
  group.all_gather(results, sizeof(_Tp) * of_gpu);
  group.launch(1, [&](dim3 grid, hipStream_t stream, unsigned gpu) {
    hipLaunchKernelGGL((reduce_results<_Tp, _Combine>), grid, block, 0, stream, output, results,
                       parts_of(input.dealt.size, length), gpu, combine);
  });
}

}  // namespace detail
}  // namespace warpz

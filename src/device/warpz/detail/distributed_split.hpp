// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Partition and compaction of warpz/distributed.hpp: each GPU counts what it chooses, all are told, and then each GPU
// moves its elements, most of them to other GPUs' memory.
#pragma once

#include <hip/hip_runtime.h>

#include <cstddef>

#include "warpz/detail/device_split.hpp"
#include "warpz/gpu_group.hpp"

namespace warpz {
namespace detail {

using gpu_counts = distributed::per_gpu<unsigned long long*>;

/// Adds what the GPU chooses to its place in `counts`.
template <class _Tp, class _Predicate>
__global__ void __launch_bounds__(device::block_threads)
    count_parts(gpu_counts counts, distributed::array<const _Tp> input, unsigned first_gpu, _Predicate p) {
  const site at = here("distributed::partition");
  constexpr unsigned length = tile_elements<_Tp, split_rows>;
  const unsigned gpu = first_gpu + blockIdx.x;
  const std::size_t size = input.dealt.elements_of(gpu);
  unsigned chosen = 0;
  for (std::size_t first = std::size_t{blockIdx.y} * length; first < size; first += std::size_t{gridDim.y} * length) {
    const unsigned existing = existing_in_tile(size, first, length);
    access<_Tp> row[split_rows];
    load_rows(row, input.part[gpu] + first, existing, _Tp{});
    chosen += static_cast<unsigned>(__popc(chosen_elements(row, existing, p)));
  }
  const unsigned of_block = block::sum<false>(chosen, at);
  if (thread_in_tile() == 0) atomicAdd(&counts[gpu][gpu], static_cast<unsigned long long>(of_block));
}

/// The place of an element in an array of one part a GPU.
template <class _Tp>
__device__ __forceinline__ _Tp* place_in_parts(const distributed::array<_Tp>& whole, std::size_t element) {
  unsigned gpu = 0;
  for (; element >= whole.dealt.stripe; element -= whole.dealt.stripe) ++gpu;
  return whole.part[gpu] + element;
}

template <bool moves_rest, class _Tp, class _Predicate>
__global__ void __launch_bounds__(device::block_threads, moves_rest ? 3 : 4)
    split_parts(distributed::array<_Tp> output, distributed::array<const _Tp> input, gpu_counts counts,
                distributed::per_gpu<device_counters*> states, unsigned first_gpu, _Predicate p) {
  const unsigned gpu = first_gpu + blockIdx.x;
  std::size_t before = 0, chosen = 0;
  for (unsigned i = 0; i < input.dealt.gpus; ++i) {
    if (i == gpu) before = chosen;
    chosen += counts[gpu][i];
  }
  const std::size_t rest_before = chosen + (gpu * input.dealt.stripe - before);
  const auto put = [&](bool is_chosen, std::size_t rank, _Tp v) {
    store_streaming(place_in_parts(output, (is_chosen ? before : rest_before) + rank), v);
  };
  split_device<moves_rest>(input.part[gpu], input.dealt.elements_of(gpu), p, put, states[gpu],
                           here("distributed::partition"));
}

/// Returns how many are chosen on each GPU, told to all of them.
template <bool moves_rest, class _Tp, class _Predicate>
gpu_counts split_on_all(distributed::gpu_group& group, const distributed::array<_Tp>& output,
                        const distributed::array<const _Tp>& input, const _Predicate& p) {
  const dim3 block(device::block_threads);
  const std::size_t elements = input.dealt.elements_of(0), blocks = device::blocks_for<_Tp>(elements);
  constexpr std::size_t of_counts = distributed::max_gpus * sizeof(unsigned long long);
  const std::size_t bytes = of_counts + device::split_state<_Tp>(elements) * sizeof(unsigned);
  const auto counts = group.memory<unsigned long long>(distributed::seen::at_end, bytes, bytes);
  distributed::per_gpu<device_counters*> states{};
  for (unsigned gpu = 0; gpu < group.size(); ++gpu) {
    states.of[gpu] = reinterpret_cast<device_counters*>(counts[gpu] + distributed::max_gpus);
  }
  group.launch(blocks, [&](dim3 grid, hipStream_t stream, unsigned gpu) {
    hipLaunchKernelGGL((count_parts<_Tp, _Predicate>), grid, block, 0, stream, counts, input, gpu, p);
  });
  group.all_gather(counts, sizeof(unsigned long long));
  group.launch(blocks, [&](dim3 grid, hipStream_t stream, unsigned gpu) {
    hipLaunchKernelGGL((split_parts<moves_rest, _Tp, _Predicate>), grid, block, 0, stream, output, input, counts,
                       states, gpu, p);
  });
  group.join();
  return counts;
}

}  // namespace detail
}  // namespace warpz

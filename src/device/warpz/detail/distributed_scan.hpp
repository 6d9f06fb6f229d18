// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scan of warpz/distributed.hpp: that of one GPU (device_scan.hpp), over tiles which lie on several GPUs in turn.
// What a block publishes goes to all GPUs, so that each looks back in its own memory.
//
// Forward progress: a tile waits for lower ones only, some of them on other GPUs. All GPUs' kernels run at the same
// time, or have run, since none of them waits for anything but tiles.
#pragma once

#include <hip/hip_runtime.h>

#include <cstddef>

#include "warpz/detail/device_scan.hpp"
#include "warpz/detail/grid_constant.hpp"
#include "warpz/gpu_group.hpp"

namespace warpz {
namespace detail {

/// Where the blocks of several GPUs publish: a copy on each one.
template <class _Tp>
struct shared_board {
  const distributed::per_gpu<device_counters*>& states;
  unsigned gpus, own;

  __device__ __forceinline__ published<_Tp>* on(unsigned gpu) const {
    return reinterpret_cast<published<_Tp>*>(states[gpu] + 1);
  }
  __device__ __forceinline__ void set(unsigned place, _Tp v, unsigned launch, const site& at) const {
    for (unsigned gpu = 0; gpu < gpus; ++gpu) on(gpu)[place].template set<scope::system>(v, launch, at);
  }
  __device__ __forceinline__ bool get(unsigned place, _Tp& v, unsigned launch, const site& at) const {
    return on(own)[place].template get<scope::system>(v, launch, at);
  }
};

/// The tiles that one of several GPUs has: some in turn.
template <class _Tp>
struct distributed_tiles {
  using board = shared_board<_Tp>;
  const distributed::per_gpu<device_counters*>& states;
  const distributed::layout& dealt;
  unsigned gpu;

  __device__ __forceinline__ std::size_t in_all() const { return parts_of(dealt.size, tile_elements<_Tp, scan_rows>); }
  __device__ __forceinline__ unsigned number_of(unsigned own) const {
    return (own / scan_stripe * dealt.gpus + gpu) * scan_stripe + own % scan_stripe;
  }
  __device__ __forceinline__ board published(device_counters*) const { return {states, dealt.gpus, gpu}; }
};

template <bool exclusive, class _Tp>
__global__ void __launch_bounds__(device::block_threads, copies_in_bulk ? 4 : 2)
    scan_parts(WARPZ_GRID_CONSTANT distributed::array<_Tp> output,
               WARPZ_GRID_CONSTANT distributed::array<const _Tp> input,
               WARPZ_GRID_CONSTANT distributed::per_gpu<device_counters*> states, unsigned first_gpu) {
  const unsigned gpu = first_gpu + blockIdx.x;
  const distributed_tiles<_Tp> place{states, input.dealt, gpu};
  scan_tiles<exclusive>(output.part[gpu], input.part[gpu], input.dealt.elements_of(gpu), states[gpu], place,
                        here("distributed::prefix_sum"));
}

template <bool exclusive, class _Tp>
void scan_on_all(distributed::gpu_group& group, const distributed::array<_Tp>& output,
                 const distributed::array<const _Tp>& input) {
  static_assert(is_number<_Tp> && sizeof(_Tp) >= sizeof(unsigned), "for numbers of 32 and 64 bits");
  const std::size_t bytes = device::scan_state<_Tp>(input.dealt.size) * sizeof(unsigned);
  const auto states = group.memory<device_counters>(distributed::seen::at_once, bytes, bytes);
  group.join();
  group.launch(device::blocks_for<_Tp>(input.dealt.elements_of(0)), [&](dim3 grid, hipStream_t stream, unsigned gpu) {
    hipLaunchKernelGGL((scan_parts<exclusive, _Tp>), grid, dim3(device::block_threads), 0, stream, output, input,
                       states, gpu);
  });
}

}  // namespace detail
}  // namespace warpz

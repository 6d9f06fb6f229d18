// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Communication between the lanes of one warp, by the same names for AMD, NVIDIA and the CPU machine.
//
// Every operation but size(), lane_id() and active_mask() is a collective: all lanes of the warp that the block
// has (or that `mask` names) must reach the same call together. Calling one where only some lanes arrive hangs
// on one vendor, reads garbage on another, and ends with a finding on the CPU machine. So a kernel never
// branches around a collective; lanes without an element take part with a neutral value:
//
//     const float v = i < size ? input[i] : 0.0f;
//     const float next = warpz::warp::shuffle_down(v, 1);
//     if (i < size) output[i] = next - v;
//
// "All lanes take part" below means just that, and "all lanes of `mask`" those that it names, the caller among them,
// all with the same mask. Where some don't, what the others get is undefined, or they wait for ever, and the CPU
// machine ends the kernel with a finding that names the lanes.
//
// What moves values, and nothing else, takes any trivially copyable type. A number is an int, unsigned, long, unsigned
// long, long long or unsigned long long (of 32 or 64 bits), a float, a double, a __half, or one of the platform's
// bfloat16 types (hip_bfloat16; __hip_bfloat16 on AMD and the CPU machine, __nv_bfloat16 on NVIDIA); for those of 16
// bits the kernel includes HIP's header itself.
//
// WARPZ_PORTABLE, defined before this, turns off each vendor's fast paths. Results stay the same, bit
// for bit.
//
// WARPZ_FULL_WARPS, defined before this, promises that every block consists of whole warps. Then nothing has to find
// out which lanes exist, and shuffles, sums and groups cost on NVIDIA's GPUs what the intrinsics cost, and on AMD's no
// more instructions than rocPRIM's. The CPU machine ends a kernel that breaks the promise, with a failed assertion; a
// GPU does not notice.
//
// Never pass the last parameter, `at`: it carries the caller's line to the findings.
#pragma once

#include <hip/hip_runtime.h>

#include "warpz/detail/platform.hpp"
#include "warpz/lane_mask.hpp"
#include "warpz/vendor.hpp"
#include "warpz/warp/reduce.hpp"
#include "warpz/warp/scan.hpp"
#include "warpz/warp/shuffle.hpp"
#include "warpz/warp/vote.hpp"

namespace warpz {
namespace warp {

/// Lanes per warp: 32 or 64, in each lane. Any lane may call it, also in divergent code. A run-time value; no constant
/// on AMD nor on the CPU machine. Other names: warpSize (CUDA, HIP), WARP_SIZE (Mojo).
__device__ __forceinline__ int size() { return detail::warp_size(); }

/// The caller's place in its warp, from 0. Any lane may call it, also in divergent code. Threads are numbered with x
/// fastest, then y, then z. Other names: __lane_id (HIP), %laneid (PTX), lane_id (Mojo).
__device__ __forceinline__ int lane_id() { return detail::lane_id(); }

/// The lanes that are here together with the caller, in each of them. Any lane may call it, also in divergent code;
/// which lanes the hardware brings together there is its own choice, so it is for looking, not for deciding who takes
/// part. Other names: __activemask (CUDA, HIP), __ballot(1) (HIP).
__device__ __forceinline__ lane_mask active_mask(detail::site at = detail::here("active_mask")) {
  return detail::active_mask(at);
}

}  // namespace warp
}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Four elements at once: the 16-byte accesses that a GPU's memory is fastest with. A kernel whose lanes each hold four
// consecutive elements loads and stores 512 bytes with one instruction of a warp of 32 lanes, where single elements
// take four.
#pragma once

#include <hip/hip_runtime.h>

#include "warpz/detail/platform.hpp"

namespace warpz {

/// The four elements, by one access. Any lane may call it, also in divergent code.
///
/// `elements` is aligned to 16 bytes. Other names: plain assignment (CUDA, HIP).
__device__ __forceinline__ float4 load_four(const float4& elements) {
  detail::begin_vector(&elements, sizeof elements, false);
  return elements;
}

/// data[first], …, data[first + 3], in the calling lane; `neutral` in place of those from `size` on, which are not
/// read. Any lane may call it, also in divergent code. One access where all four exist.
///
/// `first` is a multiple of 4, and not negative; `data` is aligned to 16 bytes, as memory of hipMalloc is. Other names:
/// reinterpret_cast<const float4*> (CUDA, HIP), load[width=4] (Mojo).
__device__ __forceinline__ float4 load_four(const float* data, int first, int size, float neutral) {
  if (first + 3 < size) return load_four(*reinterpret_cast<const float4*>(data + first));
  float4 values = make_float4(neutral, neutral, neutral, neutral);
  if (first < size) values.x = data[first];
  if (first + 1 < size) values.y = data[first + 1];
  if (first + 2 < size) values.z = data[first + 2];
  return values;
}

/// Writes data[first], …, data[first + 3]; those from `size` on are left alone. Any lane may call it, also in divergent
/// code.
///
/// `first` and `data` as in load_four. Other names: reinterpret_cast<float4*> (CUDA, HIP), store (Mojo).
__device__ __forceinline__ void store_four(float* data, int first, int size, float4 values) {
  if (first + 3 < size) {
    detail::begin_vector(data + first, sizeof values, true);
    *reinterpret_cast<float4*>(data + first) = values;
    return;
  }
  if (first < size) data[first] = values.x;
  if (first + 1 < size) data[first + 1] = values.y;
  if (first + 2 < size) data[first + 2] = values.z;
}

}  // namespace warpz

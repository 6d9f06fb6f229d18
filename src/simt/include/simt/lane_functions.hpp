// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What Clang's plugin lets kernels call, by these names (src/instrument/names.hpp).
#pragma once

#include "simt/lane.hpp"

#if defined(__HIP__) || defined(__CUDA__)
extern "C" {

/// The kernel has ended for the running lane. Returns where the lane begins with another block.
inline __attribute__((device, used)) SIMT_OWN_CODE void __warpz_next_block() {
  simt::detail::stop_at_return();
}

/// What `extern __shared__` variables are: the first byte of the block's dynamic shared memory.
inline __attribute__((device, used)) SIMT_OWN_CODE void* __warpz_dynamic_memory() {
  return simt::this_lane->dynamic_shared;
}

}  // extern "C"
#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of a GPU that another one's kernel writes while kernels here look at it. Host code.
#pragma once

#include <hip/hip_runtime.h>

#include <cstddef>

namespace warpz {
namespace detail {

inline hipError_t allocate_seen_at_once(void** data, std::size_t bytes) {
#ifdef __HIP_PLATFORM_AMD__
  // What lies in a GPU's other memory it may keep in caches, until its kernel ends.
  return hipExtMallocWithFlags(data, bytes, hipDeviceMallocFinegrained);
#else
  return hipMalloc(data, bytes);
#endif
}

}  // namespace detail
}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What HIP's calls that allocate memory have in common.
#pragma once

#include <cstddef>

#include <hip/hip_runtime_api.h>

#include "simt/hip/allocations.hpp"

namespace simt {

/// New memory, of which the checks are told. Why there is none is noted (errors.hpp).
hipError_t allocate(void** pointer, std::size_t bytes, memory_kind kind, unsigned flags);

/// Frees device or managed memory, and tells the checks where it fails. Null is freed.
hipError_t release_device(void* pointer);

}  // namespace simt

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a HIP call ends: each leaves through finish(), which keeps the thread's last error.
#pragma once

#include <hip/hip_runtime_api.h>

namespace simt {

/// Returns `code`, and makes it the thread's last error unless it is a success.
hipError_t finish(hipError_t code);

}  // namespace simt

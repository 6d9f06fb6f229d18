// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Has a kernel, but not the one that the puzzle runs.
#include "warpz/kernel.hpp"

__global__ void some_other_kernel(float* output, const float* /*input*/, int /*size*/) { output[0] = 0.0f; }

WARPZ_KERNEL(some_other_kernel);

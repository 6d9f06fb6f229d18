// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starting and stopping a profiler, which this machine has none of.
#pragma once

#include "cuda_runtime_api.h"

inline cudaError_t cudaProfilerStart() { return cudaSuccess; }
inline cudaError_t cudaProfilerStop() { return cudaSuccess; }

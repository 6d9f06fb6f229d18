// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA on the CPU machine: all that <cuda_runtime.h> provides for kernels and for the programs that launch them. What
// the device's half has is HIP's (hip/hip_runtime.h), and in cuda/detail what only CUDA has.
#pragma once

#include "cuda/detail/language.h"

#define __CUDA_RUNTIME_H__

// A program's code for the host alone has the runtime.
#if defined(__CUDACC__) || defined(__HIPCC__)
#include <hip/hip_runtime.h>
#include <time.h>

#include <new>
#include <utility>

#include "cuda/detail/device_functions.h"
#include "cuda/detail/device_runtime.h"
#include "cuda/detail/ptx_statements.h"
#endif

#include "cuda_runtime_api.h"
#include "device_launch_parameters.h"
#include "vector_functions.h"

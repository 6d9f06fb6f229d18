// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's half precision: HIP's (hip/hip_fp16.h).
#pragma once

#define __CUDA_FP16_H__

#include <cuda_runtime.h>
#include <hip/hip_fp16.h>

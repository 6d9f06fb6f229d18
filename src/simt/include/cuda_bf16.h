// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's bfloat16: HIP's (hip/hip_bf16.h) by CUDA's names.
#pragma once

#define __CUDA_BF16_H__

#include <cuda_runtime.h>
#include <hip/hip_bf16.h>

typedef __hip_bfloat16 __nv_bfloat16;
typedef __hip_bfloat162 __nv_bfloat162;
typedef __hip_bfloat16_raw __nv_bfloat16_raw;
typedef __hip_bfloat162_raw __nv_bfloat162_raw;
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

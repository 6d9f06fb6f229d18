// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// threadIdx, blockIdx, blockDim, gridDim and warpSize.
#pragma once

#define __DEVICE_LAUNCH_PARAMETERS_H__

#include "cuda/detail/language.h"

#include "hip/detail/coordinates.h"
#include "vector_types.h"

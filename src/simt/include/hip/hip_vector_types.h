// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vector types char1 … double4, as HIP or as CUDA has them.
#pragma once

#include "hip/detail/vectors.h"
#include "hip/hip_version.h"

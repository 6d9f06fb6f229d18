// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's functions of kernels, all of which hip_runtime.h has.
#pragma once

#include "hip/hip_runtime.h"

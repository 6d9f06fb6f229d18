// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mathematics in kernels, which is in one header with all else.
#pragma once

#include "hip/hip_runtime.h"

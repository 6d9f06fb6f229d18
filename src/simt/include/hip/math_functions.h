// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's mathematical functions, all of which hip_runtime.h has.
#pragma once

#include "hip/hip_runtime.h"

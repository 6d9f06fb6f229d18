// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AMD's extensions of the runtime: hipExtGetLastError and hipLaunchKernelGGL are in hip_runtime.h; there are no others.
#pragma once

#include "hip/hip_runtime.h"

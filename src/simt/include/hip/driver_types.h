// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's plain types for errors, copies, memory, arrays, functions and handles.
#pragma once

#include "hip/detail/api_types.h"
#include "hip/detail/array_types.h"
#include "hip/hip_common.h"

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's plain types for errors, copies, memory, functions and handles.
#pragma once

#include "hip/detail/api_types.h"
#include "hip/hip_common.h"

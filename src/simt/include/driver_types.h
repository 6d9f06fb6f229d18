// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's plain types for errors, copies, memory, functions and handles: HIP's by CUDA's names.
#pragma once

#define __DRIVER_TYPES_H__

#include "cuda/detail/language.h"

#include "cuda/detail/runtime_names.h"
#include "hip/driver_types.h"

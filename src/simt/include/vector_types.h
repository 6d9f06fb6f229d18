// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// char1 … double4 and dim3, with their make_ functions.
#pragma once

#define __VECTOR_TYPES_H__

#include "cuda/detail/language.h"

#include "hip/hip_vector_types.h"

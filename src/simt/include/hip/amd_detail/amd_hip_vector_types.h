// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Part of <hip/hip_vector_types.h>.
#pragma once

#include "hip/hip_vector_types.h"

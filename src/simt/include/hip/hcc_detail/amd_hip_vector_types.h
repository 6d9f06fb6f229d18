// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The folder's older name.
#pragma once

#include "hip/amd_detail/amd_hip_vector_types.h"

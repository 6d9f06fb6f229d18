// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's other name of texture_types.h.
#pragma once

#include "hip/texture_types.h"

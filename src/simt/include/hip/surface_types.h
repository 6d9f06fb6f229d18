// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Surfaces: arrays that kernels read and write.
#pragma once

#include "hip/detail/surface_types.h"

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All of CUDA's plain types.
#pragma once

#include "driver_types.h"
#include "vector_types.h"

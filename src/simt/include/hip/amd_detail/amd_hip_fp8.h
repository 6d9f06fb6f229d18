// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Part of <hip/hip_fp8.h>.
#pragma once

#include "hip/hip_fp8.h"

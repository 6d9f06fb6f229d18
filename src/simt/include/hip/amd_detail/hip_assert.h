// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Part of <hip/hip_runtime.h>.
#pragma once

#include "hip/hip_runtime.h"

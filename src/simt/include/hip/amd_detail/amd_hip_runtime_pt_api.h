// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Part of <hip/hip_runtime_api.h>.
#pragma once

#include "hip/hip_runtime_api.h"

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Part of <hip/hip_cooperative_groups.h>.
#pragma once

#include "hip/hip_cooperative_groups.h"

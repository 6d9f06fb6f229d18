// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The older name of hip_ext.h.
#pragma once

#include "hip/hip_ext.h"

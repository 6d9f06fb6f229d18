// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names that hip_runtime_api.h still has.
#pragma once

#include "hip/hip_runtime_api.h"

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device functions, which are all in one header.
#pragma once

#include "hip/hip_runtime.h"

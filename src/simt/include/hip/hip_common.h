// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What all of HIP's headers provide: the qualifiers and the version.
#pragma once

#include "hip/detail/host_defines.h"
#include "hip/hip_version.h"

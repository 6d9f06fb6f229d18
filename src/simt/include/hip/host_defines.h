// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's qualifiers.
#pragma once

#include "hip/detail/host_defines.h"

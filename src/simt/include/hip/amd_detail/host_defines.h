// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Part of <hip/host_defines.h>.
#pragma once

#include "hip/host_defines.h"

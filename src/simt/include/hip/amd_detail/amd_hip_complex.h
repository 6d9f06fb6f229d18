// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Part of <hip/hip_complex.h>.
#pragma once

#include "hip/hip_complex.h"

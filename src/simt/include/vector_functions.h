// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// make_char1 … make_double4.
#pragma once

#include "vector_types.h"

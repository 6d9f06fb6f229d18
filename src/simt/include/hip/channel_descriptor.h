// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which element of an array holds a value of a C++ type.
#pragma once

#include "hip/detail/channel_descriptor.h"

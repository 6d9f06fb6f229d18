// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Part of <hip/channel_descriptor.h>.
#pragma once

#include "hip/channel_descriptor.h"

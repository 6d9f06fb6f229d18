// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Textures: what one reads, and how.
#pragma once

#include "hip/channel_descriptor.h"
#include "hip/detail/texture_types.h"

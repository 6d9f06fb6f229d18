// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The beginning of a kernel file that includes block.hpp: what is precompiled for it.
#pragma once

#include "warpz/kernel.hpp"
// Behind it, as in a user's file.
#include "warpz/block.hpp"

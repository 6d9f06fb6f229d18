// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVTX by its older name.
#pragma once

#include <nvtx3/nvToolsExt.h>

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's calculator of occupancy for any device: libraries include it for the runtime's functions, which are here. Its
// own (cudaOccMaxActiveBlocksPerMultiprocessor) reckon with an NVIDIA GPU's registers, and are not.
#pragma once

#include "cuda_runtime_api.h"

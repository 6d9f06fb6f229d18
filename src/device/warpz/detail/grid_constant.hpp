// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// WARPZ_GRID_CONSTANT before a kernel's parameter that is a struct with an array: its elements are read where they lie.
// CUDA's compiler otherwise has each thread copy the array to memory of its own, which took longer than the kernel.
#pragma once

#ifdef __CUDACC__
#define WARPZ_GRID_CONSTANT const __grid_constant__
#else
#define WARPZ_GRID_CONSTANT const
#endif

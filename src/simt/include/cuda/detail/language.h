// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code for the host alone says by a header of CUDA's that its types are CUDA's. Kernels' files are told by the
// compiler.
#pragma once

#if !defined(__WARPZ_CUDA__) && !defined(__HIP__)
#define __WARPZ_CUDA__ 1
#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A source says by a header of CUDA's, before any of HIP's, that its types are CUDA's. A .cu file is told by the
// compiler.
#pragma once

#if !defined(__WARPZ_CUDA__) && !defined(HIP_VERSION)
#define __WARPZ_CUDA__ 1
#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The version of HIP whose interface the CPU machine follows, or the one that a program asks for (--rocm).
#pragma once

#if defined(__WARPZ_ROCM__) && __WARPZ_ROCM__ == 5
#define HIP_VERSION_MAJOR 5
#define HIP_VERSION_MINOR 7
#elif defined(__WARPZ_ROCM__) && __WARPZ_ROCM__ == 7
#define HIP_VERSION_MAJOR 7
#define HIP_VERSION_MINOR 0
#else
#define HIP_VERSION_MAJOR 6
#define HIP_VERSION_MINOR 2
#endif
#define HIP_VERSION_PATCH 0
#define HIP_VERSION_GITHASH "0"
#define HIP_VERSION_BUILD_ID 0
#define HIP_VERSION_BUILD_NAME ""
#define HIP_VERSION (HIP_VERSION_MAJOR * 10000000 + HIP_VERSION_MINOR * 100000 + HIP_VERSION_PATCH)

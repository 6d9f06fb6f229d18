// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which side of a program code is for. Clang's HIP and CUDA compile a source once for the host and once for the device,
// and refuse calls from one to the other. To any other compiler there is one side.
#pragma once

#if defined(__HIP__) || defined(__CUDA__)
/// A variable of the machine that device code uses.
#define SIMT_DEVICE __attribute__((device))
/// All functions between the two are for both sides.
#define SIMT_BOTH_SIDES_BEGIN _Pragma("clang force_cuda_host_device begin")
#define SIMT_BOTH_SIDES_END _Pragma("clang force_cuda_host_device end")
#else
#define SIMT_DEVICE
#define SIMT_BOTH_SIDES_BEGIN
#define SIMT_BOTH_SIDES_END
#endif

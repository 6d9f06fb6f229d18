// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What programs that use the CUDA runtime take from the driver's header: the version, and the names of its types. The
// driver's functions, cuInit and so on, do not exist on this machine.
#pragma once

#define __cuda_cuda_h__
#define CUDA_VERSION 12040

#include "cuda_runtime_api.h"

typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef hipStream_t CUstream;
typedef hipEvent_t CUevent;

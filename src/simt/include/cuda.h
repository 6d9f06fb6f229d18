// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CUDA driver's header: the version, and the driver's types and functions as far as the machine has them. A module
// is a source, which is compiled as HIP; PTX and binaries are refused.
#pragma once

#define __cuda_cuda_h__
#define CUDA_VERSION 12040

#include "cuda/detail/driver_linking.h"
#include "cuda/detail/driver_names.h"
#include "cuda_runtime_api.h"

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Refused here, so that no installed HIP is taken for it.
#error "HIP for NVIDIA's GPUs, by CUDA's headers: include <hip/hip_runtime.h>, or name the file .cu if it is CUDA"

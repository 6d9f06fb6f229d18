// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels by the names that those of a vendor's library have in a module for a GPU: a right one and a wrong one. In a
// file of their own, as the device library and the program both have something called vendor.
#include "warpz/kernel.hpp"

__global__ void library_pair_swap(float* output, const float* input, int size) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < size) output[i] = input[(i ^ 1) < size ? i ^ 1 : i];
}

WARPZ_KERNEL(library_pair_swap);

__global__ void library_reverse(float* output, const float* input, int size) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < size) output[i] = input[i];
}

WARPZ_KERNEL(library_reverse);

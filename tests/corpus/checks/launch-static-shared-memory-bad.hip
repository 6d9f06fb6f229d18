// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Three tiles of 64 by 128 numbers: 96 KiB, which no compiler for a device accepts.
// run: program
// finds: invalid_launch
// lane: 0 0
#include <hip/hip_runtime.h>

#include <cstdio>

constexpr int rows = 64, columns = 128, count = rows * columns;

__device__ float* tile_of_products() {
  __shared__ float products[count];
  return products;
}

__global__ void multiply(float* out, const float* a, const float* b) {  // first
  __shared__ float left[rows][columns], right[rows][columns];
  float* const products = tile_of_products();
  for (int i = threadIdx.x; i < count; i += blockDim.x) {
    left[i / columns][i % columns] = a[i];
    right[i / columns][i % columns] = b[i];
  }
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += blockDim.x)
    products[i] = left[i / columns][i % columns] * right[rows - 1 - i / columns][i % columns];
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += blockDim.x) out[i] = products[count - 1 - i];
}

int main() {
  float *a, *b, *out, last = 1;
  hipMalloc(&a, count * sizeof(float));
  hipMalloc(&b, count * sizeof(float));
  hipMalloc(&out, count * sizeof(float));
  hipMemset(a, 0, count * sizeof(float));
  hipMemset(b, 0, count * sizeof(float));
  multiply<<<1, 256>>>(out, a, b);
  hipMemcpy(&last, out + count - 1, sizeof last, hipMemcpyDeviceToHost);
  std::printf("%g\n", last);
  hipFree(a);
  hipFree(b);
  hipFree(out);
}

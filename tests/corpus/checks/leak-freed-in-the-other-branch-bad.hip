// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function gives its work space back only if nobody has lent it some, and the lender does not.
// modelled on: https://github.com/Celebrandil/CudaSift/issues/83
// run: program
// warns: leak
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void blur(float* work, const float* image, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) work[i] = (image[i] + image[(i + 1) % n]) / 2;
}

__global__ void contrast(float* result, const float* image, const float* work, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = image[i] - work[i];
}

void extract(float* result, const float* image, float* lent, int n) {
  float* work = lent;
  if (lent == nullptr) hipMalloc(&work, n * sizeof(float));
  blur<<<2, 64>>>(work, image, n);
  contrast<<<2, 64>>>(result, image, work, n);
  if (lent == nullptr) hipFree(work);
}

int main() {
  constexpr int n = 100;
  float *image, *result, *lent;
  hipMalloc(&image, n * sizeof(float));
  hipMalloc(&result, n * sizeof(float));
  hipMalloc(&lent, n * sizeof(float));  // first
  hipMemset(image, 0, n * sizeof(float));
  extract(result, image, lent, n);
  float last = 1;
  hipMemcpy(&last, result + n - 1, sizeof last, hipMemcpyDeviceToHost);
  std::printf("%.1f\n", last);
  hipFree(result);
  hipFree(image);
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One struct of three floats more than there are.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

struct point {
  float x, y, z;
};

__global__ void lift(const point* points, float* output, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) output[i] = points[i].z;
}

int main() {
  const int n = 100;
  point* points;
  float host, *output;
  hipMalloc(&points, n * sizeof(point));
  hipMalloc(&output, 2 * n * sizeof(float));
  hipMemset(points, 0, n * sizeof(point));
  lift<<<2, 64>>>(points, output, n);
  hipMemcpy(&host, output, sizeof host, hipMemcpyDeviceToHost);
  std::printf("%g\n", host);
  hipFree(points);
  hipFree(output);
}

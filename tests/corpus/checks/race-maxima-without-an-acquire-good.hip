// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last block normalizes by the largest of all blocks: it takes their maxima without an acquire.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__device__ unsigned finished;

__global__ void normalize(const float* in, float* maxima, float* out, int n) {
  __shared__ float parts[64];
  __shared__ bool last;
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  parts[t] = in[i];
  __syncthreads();
  for (int d = 32; d > 0; d /= 2) {
    if (t < d) parts[t] = fmaxf(parts[t], parts[t + d]);
    __syncthreads();
  }
  if (t == 0) {
    maxima[blockIdx.x] = parts[0];
    last = __hip_atomic_fetch_add(&finished, 1u, __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_AGENT) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  float most = 0;
  for (int b = 0; b < gridDim.x; ++b) most = fmaxf(most, maxima[b]);
  for (int k = t; k < n; k += blockDim.x) out[k] = in[k] / most;
}

int main() {
  const int n = 256;
  float host[n], result[n], *in, *maxima, *out;
  for (int i = 0; i < n; ++i) host[i] = 1 + i * 37 % 101;
  hipMalloc(&in, sizeof host);
  hipMalloc(&maxima, 4 * sizeof(float));
  hipMalloc(&out, sizeof host);
  hipMemcpy(in, host, sizeof host, hipMemcpyHostToDevice);
  normalize<<<4, 64>>>(in, maxima, out, n);
  hipMemcpy(result, out, sizeof result, hipMemcpyDeviceToHost);
  std::printf("%.3f %.3f\n", result[0], result[255]);
  hipFree(in);
  hipFree(maxima);
  hipFree(out);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block draws its ticket when one of its threads gets there; the others may not have written.
// run: program
// finds: data_race
// lane: 0 0
// other lane: 1 1
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void sum_all(const int* in, int* part, int* out, unsigned* count) {
  __shared__ bool is_last;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[i] = in[i] * 2;  // second
  __threadfence();
  if (threadIdx.x == 0) is_last = atomicAdd(count, 1u) == gridDim.x - 1;
  __syncthreads();
  if (is_last && threadIdx.x == 0) {
    __threadfence();
    int sum = 0;
    for (int k = 0; k < gridDim.x * blockDim.x; ++k) sum += part[k];  // first
    *out = sum;
  }
}

int main() {
  int host[256], result[256] = {}, *in, *part, *out;
  unsigned* count;
  for (int i = 0; i < 256; ++i) host[i] = i * 7 % 31;
  hipMalloc(&in, sizeof host);
  hipMalloc(&part, sizeof host);
  hipMalloc(&out, sizeof result);
  hipMalloc(&count, sizeof(unsigned));
  hipMemcpy(in, host, sizeof host, hipMemcpyHostToDevice);
  hipMemset(out, 0, sizeof result);
  hipMemset(count, 0, sizeof(unsigned));
  sum_all<<<2, 128>>>(in, part, out, count);
  hipMemcpy(result, out, sizeof result, hipMemcpyDeviceToHost);
  std::printf("%d %d %d\n", result[0], result[100], result[255]);
  hipFree(in);
  hipFree(part);
  hipFree(out);
  hipFree(count);
}

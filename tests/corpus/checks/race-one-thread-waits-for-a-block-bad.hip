// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread waits for the other block, and the others of its block go on.
// run: program
// finds: data_race
// lane: 31 63
// other lane: 0 0
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void hand_on(const int* in, int* part, int* out, unsigned* count) {
  const int i = threadIdx.x;
  if (blockIdx.x == 0) {
    part[i] = in[i] * 3;  // second
    __threadfence();
    __syncthreads();
    if (i == 0) atomicExch(count, 1u);
    return;
  }
  if (i == 0) {
    while (atomicAdd(count, 0u) == 0u) continue;
  }
  __threadfence();
  out[i] = part[blockDim.x - 1 - i];  // first
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
  hand_on<<<2, 128>>>(in, part, out, count);
  hipMemcpy(result, out, sizeof result, hipMemcpyDeviceToHost);
  std::printf("%d %d %d\n", result[0], result[100], result[255]);
  hipFree(in);
  hipFree(part);
  hipFree(out);
  hipFree(count);
}

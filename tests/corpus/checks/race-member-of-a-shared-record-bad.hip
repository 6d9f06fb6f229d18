// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a block knows of its values lies in one shared record. Its matrix of counts is read while other warps still
// count.
// run: program
// finds: data_race
// lane: 1 1
// other lane: 0 0
#include <hip/hip_runtime.h>

#include <cstdio>

struct statistics {
  int taken;
  struct {
    short least, most;
    int counts[2][5];
  } parts;
};

__global__ void spread(const int* in, int* out) {
  __shared__ statistics known;
  const int i = threadIdx.x;
  if (i < 10) known.parts.counts[i / 5][i % 5] = 0;
  if (i == 0) known.taken = blockDim.x;
  __syncthreads();
  atomicAdd(&known.parts.counts[in[i] % 2][in[i] % 5], 1);  // first
  if (i == 0) {
    int most = 0;
    for (int k = 0; k < 10; ++k) most = max(most, known.parts.counts[k / 5][k % 5]);  // second
    *out = known.taken - most;
  }
}

int main() {
  int host[128], *in, *out;
  for (int i = 0; i < 128; ++i) host[i] = i * i + 3;
  hipMalloc(&in, sizeof host);
  hipMalloc(&out, sizeof(int));
  hipMemcpy(in, host, sizeof host, hipMemcpyHostToDevice);
  spread<<<1, 128>>>(in, out);
  hipMemcpy(host, out, sizeof(int), hipMemcpyDeviceToHost);
  std::printf("%d\n", host[0]);
  hipFree(in);
  hipFree(out);
}

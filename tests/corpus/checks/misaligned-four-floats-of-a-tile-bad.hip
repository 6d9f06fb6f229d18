// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Four floats of a tile at once, from any place on: the tile is declared as floats.
// run: program
// finds: misaligned
// lane: 1 1
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void sums(const float* input, float* output) {
  __shared__ float tile[132];
  const int i = threadIdx.x;
  tile[i] = input[i];
  tile[i + 64] = input[i + 64];
  __syncthreads();
  const float4 four = *reinterpret_cast<const float4*>(&tile[i]);  // first
  output[i] = four.x + four.y + four.z + four.w;
}

int main() {
  float host[128], *input, *output;
  for (int i = 0; i < 128; ++i) host[i] = static_cast<float>(i);
  hipMalloc(&input, sizeof host);
  hipMalloc(&output, sizeof host);
  hipMemcpy(input, host, sizeof host, hipMemcpyHostToDevice);
  sums<<<1, 64>>>(input, output);
  hipMemcpy(host, output, 64 * sizeof(float), hipMemcpyDeviceToHost);
  std::printf("%g\n", host[3]);
  hipFree(input);
  hipFree(output);
}

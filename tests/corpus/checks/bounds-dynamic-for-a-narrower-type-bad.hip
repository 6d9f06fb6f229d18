// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The launch asks for shorts in dynamic shared memory, and the kernel keeps floats there.
// modelled on: https://github.com/openvdb/fvdb-core/pull/307
// run: program
// finds: out_of_bounds
// lane: 16 48
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void reverse(float* output, const short* input) {
  extern __shared__ float widened[];
  widened[threadIdx.x] = input[threadIdx.x] * 0.5f;  // first
  __syncthreads();
  output[threadIdx.x] = widened[blockDim.x - 1 - threadIdx.x];
}

int main() {
  constexpr int n = 96;
  short numbers[n];
  for (int i = 0; i < n; ++i) numbers[i] = static_cast<short>(i);
  short* input;
  float* output;
  hipMalloc(&input, sizeof numbers);
  hipMalloc(&output, n * sizeof(float));
  hipMemcpy(input, numbers, sizeof numbers, hipMemcpyHostToDevice);
  reverse<<<1, n, n * sizeof(short)>>>(output, input);
  float last = 1;
  hipMemcpy(&last, output + n - 1, sizeof last, hipMemcpyDeviceToHost);
  std::printf("%.1f\n", last);
  hipFree(output);
  hipFree(input);
  return 0;
}

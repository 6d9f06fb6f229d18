// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Four floats at once, in a buffer that begins with a number of floats that is no multiple of four.
// modelled on: https://github.com/PaddlePaddle/Paddle/pull/23090
// run: program
// finds: misaligned
// lane: 0 0
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void scale(float* scratch, int scores, int values) {
  float4* const vectors = reinterpret_cast<float4*>(scratch + scores);
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= values / 4) return;
  float4 vector = vectors[i];  // first
  vector.x *= 2;
  vector.y *= 2;
  vector.z *= 2;
  vector.w *= 2;
  vectors[i] = vector;
}

/// One buffer holds the scores and, behind them, the values.
int main() {
  constexpr int scores = 49, values = 256;
  float* scratch;
  hipMalloc(&scratch, (scores + values) * sizeof(float));
  hipMemset(scratch, 0, (scores + values) * sizeof(float));
  scale<<<1, values / 4>>>(scratch, scores, values);
  float last = 1;
  hipMemcpy(&last, scratch + scores + values - 1, sizeof last, hipMemcpyDeviceToHost);
  std::printf("%g\n", last);
  hipFree(scratch);
}

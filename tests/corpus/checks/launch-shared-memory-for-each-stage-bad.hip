// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared memory for the bodies of eight stages, of which one is used.
// run: program
// finds: invalid_launch
#include <hip/hip_runtime.h>

#include <cstdio>

struct body {
  float position[4];
  float velocity[4];
};

__global__ void step(body* bodies) {
  extern __shared__ body all[];
  all[threadIdx.x] = bodies[threadIdx.x];
  __syncthreads();
  const body& next = all[(threadIdx.x + 1) % blockDim.x];
  bodies[threadIdx.x].velocity[0] = next.position[0];
}

int main() {
  constexpr int count = 512, copies = 8;
  body* bodies;
  float last = 1;
  hipMalloc(&bodies, count * sizeof(body));
  hipMemset(bodies, 0, count * sizeof(body));
  hipLaunchKernelGGL(step, dim3(1), dim3(count), copies * count * sizeof(body), 0, bodies);  // first
  hipMemcpy(&last, &bodies[count - 1].velocity[0], sizeof last, hipMemcpyDeviceToHost);
  std::printf("%g\n", last);
  hipFree(bodies);
}

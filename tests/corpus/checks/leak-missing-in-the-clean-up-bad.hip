// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of three buffers two are given back at the end, and the later added one is forgotten.
// modelled on: https://github.com/rogerallen/raytracinginoneweekendincuda/issues/8
// run: program
// warns: leak
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void seed(unsigned* states, unsigned salt) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  states[i] = i * 2654435761u + salt;
}

__global__ void render(unsigned* pixels, const unsigned* camera_states, const unsigned* world_states) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  pixels[i] = (camera_states[i] ^ world_states[i]) % 256;
}

int main() {
  constexpr int n = 256;
  unsigned *pixels, *camera_states, *world_states;
  hipMalloc(&pixels, n * sizeof(unsigned));
  hipMalloc(&camera_states, n * sizeof(unsigned));
  hipMalloc(&world_states, n * sizeof(unsigned));  // first
  seed<<<n / 64, 64>>>(camera_states, 1);
  seed<<<n / 64, 64>>>(world_states, 2);
  render<<<n / 64, 64>>>(pixels, camera_states, world_states);
  unsigned last = 0;
  hipMemcpy(&last, pixels + n - 1, sizeof last, hipMemcpyDeviceToHost);
  std::printf("last pixel %u\n", last);
  hipFree(camera_states);
  hipFree(pixels);
  return 0;
}

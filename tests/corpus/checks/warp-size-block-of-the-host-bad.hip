// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host launches blocks of 32 threads, and the device steps by 64.
// run: program --warp-size 64
// finds: warp_size_dependence
#include <hip/hip_runtime.h>

#include <cstdio>

#if defined(__HIP_DEVICE_COMPILE__) && defined(__GFX9__)
#define LANES_PER_VECTOR 16
#define VECTORS_PER_WAVE 4
#else
#define LANES_PER_VECTOR 32
#define VECTORS_PER_WAVE 1
#endif
#define WAVE (LANES_PER_VECTOR * VECTORS_PER_WAVE)

__global__ void scale(float* values, unsigned count) {
  const unsigned i = blockIdx.x * WAVE + threadIdx.x;  // second
  if (i < count) values[i] = 2 * values[i] + 1;
}

static unsigned waves_for(unsigned count, unsigned size) { return (count + size - 1) / size; }

int main() {
  constexpr unsigned count = 200;
  float host[count], *values;
  for (unsigned i = 0; i < count; ++i) host[i] = static_cast<float>(i);
  hipMalloc(&values, sizeof host);
  hipMemcpy(values, host, sizeof host, hipMemcpyHostToDevice);
  const dim3 block(WAVE);  // first
  scale<<<waves_for(count, block.x), block>>>(values, count);
  hipMemcpy(host, values, sizeof host, hipMemcpyDeviceToHost);
  std::printf("%g\n", host[count - 1]);
  hipFree(values);
}

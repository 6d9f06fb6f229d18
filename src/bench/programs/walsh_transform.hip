// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A fast Walsh transform of each block in shared memory.
#include "program.hpp"

__global__ void transform(float* data) {
  __shared__ float part[512];
  const int first = blockIdx.x * 512, at = threadIdx.x;
  part[at] = data[first + at];
  part[at + 256] = data[first + at + 256];
  for (int stride = 256; stride > 0; stride /= 2) {
    __syncthreads();
    const int low = at / stride * 2 * stride + at % stride;
    const float a = part[low], b = part[low + stride];
    part[low] = a + b;
    part[low + stride] = a - b;
  }
  __syncthreads();
  data[first + at] = part[at];
  data[first + at + 256] = part[at + 256];
}

int main() {
  const int size = 1 << 20;
  std::vector<float> data = numbers<float>(size, 100);
  const device_array<float> on_data(data);
  transform<<<size / 512, 256>>>(on_data);
  for (int first = 0; first < size; first += 512) {
    for (int stride = 256; stride > 0; stride /= 2) {
      for (int i = first; i < first + 512; ++i) {
        if ((i & stride) != 0) continue;
        const float a = data[i], b = data[i + stride];
        data[i] = a + b;
        data[i + stride] = a - b;
      }
    }
  }
  return compare(on_data, data);
}

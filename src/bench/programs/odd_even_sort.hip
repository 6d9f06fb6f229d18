// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warps sort by exchanging with their neighbors.
#include "program.hpp"

__global__ void sort(int* data) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % warpSize;
  int value = data[i];
  for (int step = 0; step < warpSize; ++step) {
    const int partner = (lane + step) % 2 == 0 ? lane + 1 : lane - 1;
    const int other = __shfl(value, partner);
    if (partner >= 0 && partner < warpSize) value = partner > lane ? min(value, other) : max(value, other);
  }
  data[i] = value;
}

int main() {
  const int size = 1 << 18;
  std::vector<int> data = numbers<int>(size, 1 << 24);
  int lanes = 0;
  if (hipDeviceGetAttribute(&lanes, hipDeviceAttributeWarpSize, 0) != hipSuccess) return 1;
  const device_array<int> on_data(data);
  sort<<<size / 256, 256>>>(on_data);
  for (int i = 0; i < size; i += lanes) std::sort(data.begin() + i, data.begin() + i + lanes);
  return compare(on_data, data);
}

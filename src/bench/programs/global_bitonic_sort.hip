// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An array is sorted by a bitonic network, one launch for each step.
#include "program.hpp"

__global__ void exchange(int* data, int length, int distance) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int other = i ^ distance;
  if (other <= i) return;
  const int low = data[i], high = data[other];
  if ((low > high) == ((i & length) == 0)) {
    data[i] = high;
    data[other] = low;
  }
}

int main() {
  const int size = 1 << 16;
  std::vector<int> data = numbers<int>(size, 1 << 24);
  const device_array<int> on_data(data);
  for (int length = 2; length <= size; length *= 2) {
    for (int distance = length / 2; distance > 0; distance /= 2) {
      exchange<<<size / 256, 256>>>(on_data, length, distance);
    }
  }
  std::sort(data.begin(), data.end());
  return compare(on_data, data);
}

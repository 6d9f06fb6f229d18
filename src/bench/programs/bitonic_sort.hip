// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks are sorted by a bitonic network in shared memory.
#include "program.hpp"

__global__ void sort(int* data) {
  __shared__ int part[256];
  const unsigned at = threadIdx.x;
  part[at] = data[blockIdx.x * 256 + at];
  __syncthreads();
  for (unsigned length = 2; length <= 256; length *= 2) {
    for (unsigned distance = length / 2; distance > 0; distance /= 2) {
      const unsigned other = at ^ distance;
      if (other > at && (part[at] > part[other]) == ((at & length) == 0)) {
        const int kept = part[at];
        part[at] = part[other];
        part[other] = kept;
      }
      __syncthreads();
    }
  }
  data[blockIdx.x * 256 + at] = part[at];
}

int main() {
  const int size = 1 << 19;
  std::vector<int> data = numbers<int>(size, 1 << 24);
  const device_array<int> on_data(data);
  sort<<<size / 256, 256>>>(on_data);
  for (int i = 0; i < size; i += 256) std::sort(data.begin() + i, data.begin() + i + 256);
  return compare(on_data, data);
}

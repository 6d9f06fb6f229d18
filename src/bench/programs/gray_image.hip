// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pixels of three bytes become gray, and the image's brightness is summed up.
#include "program.hpp"

__global__ void convert(const unsigned char* pixels, unsigned char* gray, unsigned* brightness, int size) {
  __shared__ unsigned sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned mine = 0;
  if (i < size) {
    mine = (77 * pixels[3 * i] + 150 * pixels[3 * i + 1] + 29 * pixels[3 * i + 2]) >> 8;
    gray[i] = mine;
  }
  for (int offset = warpSize / 2; offset > 0; offset /= 2) mine += __shfl_down(mine, offset);
  if (threadIdx.x % warpSize == 0) atomicAdd(&sum, mine);
  __syncthreads();
  if (threadIdx.x == 0) brightness[blockIdx.x] = sum;
}

int main() {
  const int size = (1 << 21) - 100, blocks = (size + 255) / 256;
  const std::vector<unsigned char> pixels = numbers<unsigned char>(3 * size, 256);
  std::vector<unsigned char> expected(size);
  std::vector<unsigned> sums(blocks);
  for (int i = 0; i < size; ++i) {
    expected[i] = (77 * pixels[3 * i] + 150 * pixels[3 * i + 1] + 29 * pixels[3 * i + 2]) >> 8;
    sums[i / 256] += expected[i];
  }
  const device_array<unsigned char> on_pixels(pixels), gray(size);
  const device_array<unsigned> brightness(blocks);
  convert<<<blocks, 256>>>(on_pixels, gray, brightness, size);
  return finish(gray.values() == expected && brightness.values() == sums);
}

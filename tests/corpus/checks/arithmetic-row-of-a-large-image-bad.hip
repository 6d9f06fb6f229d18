// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The offset of a row in an image of 2.8 GB does not fit in an int.
// run: program
// finds: undefined_arithmetic
// lane: 2 2
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void gather(const unsigned char* image, const int* rows, int pitch, unsigned char* output, int size) {
  const int i = threadIdx.x;
  if (i >= size) return;
  const int at = rows[i] * pitch + 5;  // first
  output[i] = image[at];
}

int main() {
  constexpr int pitch = 70000, height = 40000, size = 3;
  const int rows[size] = {0, 30000, 39999};
  unsigned char output[size];
  unsigned char *image, *taken;
  int* chosen;
  hipMalloc(&image, static_cast<size_t>(pitch) * height);
  hipMalloc(&taken, size);
  hipMalloc(&chosen, sizeof rows);
  for (const int row : rows) hipMemset(image + static_cast<size_t>(row) * pitch, row % 251, 16);
  hipMemcpy(chosen, rows, sizeof rows, hipMemcpyHostToDevice);
  gather<<<1, 32>>>(image, chosen, pitch, taken, size);
  hipMemcpy(output, taken, size, hipMemcpyDeviceToHost);
  std::printf("%d %d %d\n", output[0], output[1], output[2]);
  hipFree(image);
  hipFree(taken);
  hipFree(chosen);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stages without a tile are counted as done, and the rest behind the last tile is passed over.
// modelled on: https://github.com/NVIDIA/cutlass/issues/3536
// run: --neighbor --size 104
// finds: never_written
// lane: 0 0
__device__ float difference(const float* input, int size, int n) {
  return n + 1 < size && (n + 1) % warpSize != 0 ? input[n + 1] - input[n] : 0.0f;
}

__global__ void kernel_under_test(float* output, const float* input, int size) {
  if (blockIdx.x != 0) return;
  constexpr int stages = 2;
  const int lane = threadIdx.x, tiles = size / warpSize;
  int done = 0;
  for (int tile = 0; tile < tiles; tile += stages) {
    for (int stage = 0; stage < stages; ++stage) {
      if (tile + stage < tiles) output[done + lane] = difference(input, size, done + lane);
      done += warpSize;
    }
  }
  if (done + lane < size) output[done + lane] = difference(input, size, done + lane);
}

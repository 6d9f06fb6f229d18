// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tile of a cooperative group orders its lanes' accesses.
// run: --neighbor --size 64
#include <hip/hip_cooperative_groups.h>

__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  __shared__ float tile[64];
  const auto group = cooperative_groups::tiled_partition<16>(cooperative_groups::this_thread_block());
  tile[threadIdx.x] = i < size ? input[i] : 0.0f;
  group.sync();
  const int mirrored = static_cast<int>(threadIdx.x) / 16 * 16 + 15 - static_cast<int>(threadIdx.x) % 16;
  if (i < size) output[i] = tile[mirrored];
}

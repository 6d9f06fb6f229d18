// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Groups of four lanes, whose masks are moved by their number, not by four times that.
// modelled on: https://github.com/NVIDIA/cub/issues/154
// run: --neighbor --size 20
// finds: wrong_mask
// lane: 5 5
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned group = threadIdx.x / 4;
  const float mine = i < size ? input[i] : 0;
  const float first = __shfl_sync(0xfull << group, mine, 0, 4);  // first
  if (i < size) output[i] = first;
}

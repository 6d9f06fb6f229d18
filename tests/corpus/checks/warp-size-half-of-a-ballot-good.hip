// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A ballot has 64 bits, and all of them are kept and counted.
// modelled on: https://github.com/pytorch/FBGEMM/pull/5830
// run: --vote --warp-size both
__global__ void kernel_under_test(float* output, const float* input, int size, float pivot) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int rest = size - static_cast<int>(blockIdx.x * blockDim.x);
  const int elements = rest < warpSize ? rest : warpSize;
  const bool is_above = i < size && input[i] > pivot;
  const unsigned long long above = __ballot(is_above);
  const int count = __popcll(above);
  if (i < size) output[i] = static_cast<float>(is_above ? count : elements - count);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A ballot is kept in 32 bits, so that the upper lanes of a warp of 64 are not counted.
// modelled on: https://github.com/pytorch/FBGEMM/pull/5830
// run: --vote --warp-size both
// finds: warp_size_dependence
__global__ void kernel_under_test(float* output, const float* input, int size, float pivot) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int rest = size - static_cast<int>(blockIdx.x * blockDim.x);
  const int elements = rest < warpSize ? rest : warpSize;
  const bool is_above = i < size && input[i] > pivot;
  const unsigned above = __ballot(is_above);  // first
  const int count = __popc(above);
  if (i < size) output[i] = static_cast<float>(is_above ? count : elements - count);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of its own, of which a lane writes all but the last element.
// run: --neighbor --size 32
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  float* const own = static_cast<float*>(malloc(4 * sizeof(float)));
  for (int k = 0; k < 4; ++k) own[k] = i < size ? input[i] + k : 0.0f;
  if (i < size) output[i] = own[0] + own[3];
  free(own);
}

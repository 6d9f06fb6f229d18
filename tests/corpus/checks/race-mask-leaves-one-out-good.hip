// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// syncwarp with a mask that not all readers are in.
// run: --neighbor --size 32
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  __shared__ float shared_value;
  if (threadIdx.x == 0) shared_value = input[0];
  __syncwarp();
  const float seen = shared_value;
  if (i < size) output[i] = seen;
}

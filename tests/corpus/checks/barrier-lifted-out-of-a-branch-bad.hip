// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One of two barriers stands in a branch, the other behind it: some threads wait at the one, the rest at the other.
// modelled on: https://github.com/EnzymeAD/Enzyme-JAX/pull/2866
// run: --neighbor --size 20
// finds: diverged_barrier
// lane: 0 0
// other lane: 10 10
__global__ void kernel_under_test(float* output, const float* input, int size) {
  __shared__ float shared[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (threadIdx.x < 10) {
    shared[threadIdx.x] = input[i];
    __syncthreads();  // first
    shared[threadIdx.x] += 1;
  }
  __syncthreads();  // second
  if (i < size) output[i] = shared[0];
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All threads fence, the block meets, and one raises the flag for all of them.
// run: --threadfence --size 300
__global__ void kernel_under_test(float* output, const float* input, unsigned* state, int size) {
  float* const parts = reinterpret_cast<float*>(state + 1);
  __shared__ bool last;
  if (threadIdx.x == 0) parts[blockIdx.x] = input[blockIdx.x] + size;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(&state[0], 1u) == gridDim.x - 1;
  __syncthreads();
  if (!last) return;
  __threadfence();
  if (threadIdx.x == 5) output[0] = parts[0] + parts[1];
}

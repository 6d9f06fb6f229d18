// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each block waits for the flag of the one before it and reads what that one has left.
// run: --threadfence --size 900
__global__ void kernel_under_test(float* output, const float* input, unsigned* state, int size) {
  // The words: a ticket, then what each block hands on (its count with the highest bit set).
  __shared__ unsigned ticket, before;
  if (threadIdx.x == 0) {
    ticket = atomicAdd(&state[0], 1u);
    before = 0;
    if (ticket != 0) {
      while (((before = atomicAdd(&state[ticket], 0u)) & 0x80000000u) == 0) {
      }
      __threadfence();
    }
    __threadfence();
    atomicExch(&state[ticket + 1], 0x80000000u | ((before & 0x7fffffffu) + 1));
  }
  __syncthreads();
  if (ticket == gridDim.x - 1 && threadIdx.x == 0) output[0] = before + input[0] + size;
}

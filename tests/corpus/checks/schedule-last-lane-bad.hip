// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whoever comes last decides. Each access is atomic, so that this is no race.
// run: --neighbor --size 32 --schedules 3
// finds: schedule_dependence
// lane: 0 0
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  __shared__ float last;
  if (threadIdx.x == 0) last = 0.0f;
  __syncthreads();
  if (i < size) atomicExch(&last, input[i]);
  __syncthreads();
  if (i < size) output[i] = last;  // first
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many lanes of the warp have an element above the threshold: those that are active together in the branch.
// run: --neighbor --size 64 --schedules 4
// finds: schedule_dependence
// lane: 11 11
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  output[i] = 0;
  if (input[i] > 100) {
    const unsigned long long together = __activemask();
    output[i] = static_cast<float>(__popcll(together));  // first
  }
}

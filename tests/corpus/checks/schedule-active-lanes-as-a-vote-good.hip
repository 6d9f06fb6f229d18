// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many lanes of the warp have an element above the threshold: a vote says it. Those that are active together
// add up what they have by one atomic, however many they are.
// run: --neighbor --size 64 --schedules 4
__device__ int added;

__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned long long above = __ballot_sync(~0ull, input[i] > 100);
  output[i] = 0;
  if (input[i] > 100) {
    const unsigned long long together = __activemask();
    const bool is_first = (together & ((1ull << __lane_id()) - 1)) == 0;
    if (is_first) atomicAdd(&added, __popcll(together));
    output[i] = static_cast<float>(__popcll(above));
  }
}

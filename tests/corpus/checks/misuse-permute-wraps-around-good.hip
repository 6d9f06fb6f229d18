// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last lane reads the one after it, and gets the value of the first one.
// run: --neighbor --size 64
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % warpSize;
  const int mine = i < size ? static_cast<int>(input[i]) : 0;
  const int next = __builtin_amdgcn_ds_bpermute((lane + 1) * 4, mine);
  if (i < size) output[i] = lane + 1 < warpSize ? next - mine : 0;
}

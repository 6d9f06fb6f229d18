// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same vote of the whole warp in two branches.
// modelled on: https://github.com/ROCm/legacy-rocm-build/issues/4479
// run: --neighbor --size 20
// finds: diverged_collective
// lane: 0 0
// other lane: 16 16
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int one = i < size ? 1 : 0;
  int all;
  if (threadIdx.x < 16) {
    all = __all_sync(~0ull, one);  // first
  } else {
    all = __all_sync(~0ull, one);  // second
  }
  if (i < size) output[i] = static_cast<float>(all);
}

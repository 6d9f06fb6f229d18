// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A checksum of four lanes by an exclusive or, of a variable that only lanes past the end set. Equal values cancel out.
// run: --neighbor --size 32
// finds: undefined_lane_value
// lane: 0 0
// other lane: 0 0
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int part;  // second
  for (int k = i; k >= size; k -= size) part = k;
  const int sum = __shfl(part, 0) ^ __shfl(part, 2) ^ __shfl(part, 8) ^ __shfl(part, 10);  // first
  if (i < size) output[i] = static_cast<float>(sum);
}

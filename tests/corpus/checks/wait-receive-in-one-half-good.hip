// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The upper half of a warp receives from an object what the lower half sends in the other branch.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

struct mailbox {
  int* full;
  int* letter;

  __device__ void send(int value) {
    *letter = value;
    __threadfence();
    atomicExch(full, 1);
  }

  __device__ int receive() {
    while (atomicCAS(full, 1, 2) != 1) continue;
    __threadfence();
    return *letter;
  }
};

// One warp sends, and another one receives; with one warp alone, the sender comes first.
__global__ void pass_on(const int* in, int* lock, int* out) {
  mailbox box{&lock[0], &lock[1]};
  if (threadIdx.x == 0) box.send(in[7]);
  if (threadIdx.x == blockDim.x - 1) out[0] = box.receive();
}

int main() {
  int input[64], result[2] = {}, *in, *lock, *out;
  for (int i = 0; i < 64; ++i) input[i] = i * 7 % 31;
  hipMalloc(&in, sizeof input);
  hipMalloc(&lock, 2 * sizeof(int));
  hipMalloc(&out, sizeof result);
  hipMemcpy(in, input, sizeof input, hipMemcpyHostToDevice);
  hipMemset(lock, 0, 2 * sizeof(int));
  hipMemset(out, 0, sizeof result);
  pass_on<<<1, 64>>>(in, lock, out);
  hipMemcpy(result, out, sizeof result, hipMemcpyDeviceToHost);
  std::printf("%d %d\n", result[0], result[1]);
  hipFree(in);
  hipFree(lock);
  hipFree(out);
}

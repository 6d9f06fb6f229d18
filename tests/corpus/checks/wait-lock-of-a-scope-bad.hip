// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An object takes the lock where it is declared, and gives it back at the end of its scope.
// run: program
// finds: wait_within_warp
// lane: 2 2
#include <hip/hip_runtime.h>

#include <cstdio>

class guard {
 public:
  __device__ explicit guard(int* lock) : lock_(lock) {
    while (atomicCAS(lock_, 0, 1) != 0) continue;  // first
    __threadfence();
  }
  __device__ ~guard() {
    __threadfence();
    atomicExch(lock_, 0);
  }

 private:
  int* lock_;
};

__global__ void serve(const int* in, int* lock, int* out) {
  const int mine = in[threadIdx.x];
  if (mine % 3 != 0) {
    const guard held(lock);
    out[0] += mine;
    out[1] += mine * mine;
  }
}

int main() {
  int input[64], result[2] = {}, *in, *lock, *out;
  for (int i = 0; i < 64; ++i) input[i] = i * 7 % 31;
  hipMalloc(&in, sizeof input);
  hipMalloc(&lock, 1 * sizeof(int));
  hipMalloc(&out, sizeof result);
  hipMemcpy(in, input, sizeof input, hipMemcpyHostToDevice);
  hipMemset(lock, 0, 1 * sizeof(int));
  hipMemset(out, 0, sizeof result);
  serve<<<2, 64>>>(in, lock, out);
  hipMemcpy(result, out, sizeof result, hipMemcpyDeviceToHost);
  std::printf("%d %d\n", result[0], result[1]);
  hipFree(in);
  hipFree(lock);
  hipFree(out);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A neighbor of six bytes is read from shared memory before it is known to be there.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void blur(short3* out, const short3* in) {
  __shared__ short3 tile[65];
  tile[threadIdx.x] = in[threadIdx.x];
  if (threadIdx.x == 0) tile[blockDim.x] = make_short3(0, 0, 0);
  __syncthreads();
  const short3 next = tile[threadIdx.x + 1];
  out[threadIdx.x] = make_short3(next.x / 2, next.y / 2, next.z / 2);
}

int main() {
  constexpr int count = 64;
  short3 *in, *out, last;
  hipMalloc(&in, count * sizeof(short3));
  hipMalloc(&out, count * sizeof(short3));
  hipMemset(in, 1, count * sizeof(short3));
  blur<<<1, count>>>(out, in);
  hipMemcpy(&last, out + count - 2, sizeof last, hipMemcpyDeviceToHost);
  std::printf("%d\n", last.x);
  hipFree(in);
  hipFree(out);
}

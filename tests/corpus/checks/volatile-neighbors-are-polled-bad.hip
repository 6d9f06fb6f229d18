// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each element waits for its larger neighbors, whose places are computed anew in each round.
// run: program
// warns: data_race
// lane: 1 16
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void choose(volatile unsigned char* const state, int n) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  bool waits;
  do {
    waits = false;
    const unsigned char mine = state[v];
    if (mine & 1) {
      const int left = (v + n - 1) % n, right = (v + 1) % n;
      const unsigned char one = state[left], other = state[right];  // first
      if (one > mine || other > mine)
        waits = true;
      else
        state[v] = 0;
    }
  } while (waits);
}

int main() {
  unsigned char host[64], *state;
  for (int v = 0; v < 64; v++) host[v] = static_cast<unsigned char>(v * 7 % 120 * 2 + 1);
  hipMalloc(&state, sizeof host);
  hipMemcpy(state, host, sizeof host, hipMemcpyHostToDevice);
  choose<<<1, 64>>>(state, 64);
  hipMemcpy(host, state, sizeof host, hipMemcpyDeviceToHost);
  std::printf("%d\n", host[0]);
  hipFree(state);
}

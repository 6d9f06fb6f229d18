// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The positive numbers of each block move together: ballots, a scan of the warps' counts.
#include "program.hpp"

__global__ void compact(const int* in, int* out, int* counts) {
  __shared__ int of_warp[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  const bool wanted = in[i] > 50;
  const unsigned long long all = __ballot(wanted);
  if (lane == 0) of_warp[warp] = __popcll(all);
  __syncthreads();
  int first = 0, total = 0;
  for (int k = 0; k < blockDim.x / warpSize; ++k) {
    if (k < warp) first += of_warp[k];
    total += of_warp[k];
  }
  if (wanted) out[blockIdx.x * blockDim.x + first + __popcll(all & ((1ull << lane) - 1))] = in[i];
  if (threadIdx.x == 0) counts[blockIdx.x] = total;
}

int main() {
  const int size = 1 << 21;
  const std::vector<int> in = numbers<int>(size, 100);
  std::vector<int> expected(size), counts(size / 256);
  for (int i = 0; i < size; ++i) {
    if (in[i] > 50) expected[i / 256 * 256 + counts[i / 256]++] = in[i];
  }
  const device_array<int> on_in(in), out(size), on_counts(size / 256);
  compact<<<size / 256, 256>>>(on_in, out, on_counts);
  return finish(out.values() == expected && on_counts.values() == counts);
}

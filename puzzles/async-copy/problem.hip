// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

/// To do: turn each half of a block's 128 elements back to front. Both are copied to shared memory; the first is turned
/// while the second one is on its way.
__global__ void reversed_halves(float* output, const float* input, int size) {
  constexpr int length = 64;
  alignas(16) __shared__ float loaded[2][length];
  alignas(16) __shared__ float turned[2][length];
  const int start = blockIdx.x * 2 * length;
  const int place = threadIdx.x;
  const int existing[2] = {min(length, size - start), max(0, min(length, size - start - length))};

  // Two copies begin here, in one group. 1. Make it two, so that each can be waited for.
  for (int i = 0; i < 2; ++i) {
    warpz::async_copy(loaded[i], input + start + i * length, existing[i] * sizeof(float));
  }
  warpz::async_copy_commit();

  // 2. Is the first half there? Wait for what this thread copied, then for the others.
  if (place < existing[0]) turned[0][place] = loaded[0][existing[0] - 1 - place];

  // 3. And the second half?
  if (place < existing[1]) turned[1][place] = loaded[1][existing[1] - 1 - place];

  warpz::barrier();
  if (size - start >= 2 * length) {
    // All there: one thread has the whole of it copied.
    if (place == 0) {
      warpz::async_bulk_store(output + start, turned, sizeof turned);
      warpz::async_bulk_commit();
      warpz::async_bulk_wait<0>();
    }
  } else {
    for (int i = 0; i < 2; ++i) {
      if (place < existing[i]) output[start + i * length + place] = turned[i][place];
    }
  }
}

WARPZ_KERNEL(reversed_halves);

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Waits for the other threads, and not for the copies.
// caught on: documented; 5 random numbers
// passes on: all zero
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

namespace {
constexpr int length = 64;
}

__global__ void reversed_halves(float* output, const float* input, int size) {
  alignas(16) __shared__ float loaded[2][length];
  alignas(16) __shared__ float turned[2][length];
  const int start = blockIdx.x * 2 * length;
  const int place = threadIdx.x;
  const int existing[2] = {min(length, size - start), max(0, min(length, size - start - length))};

  for (int i = 0; i < 2; ++i) {
    warpz::async_copy(loaded[i], input + start + i * length, existing[i] * sizeof(float));
    warpz::async_copy_commit();
  }

  warpz::barrier();
  if (place < existing[0]) turned[0][place] = loaded[0][existing[0] - 1 - place];

  warpz::barrier();
  if (place < existing[1]) turned[1][place] = loaded[1][existing[1] - 1 - place];

  warpz::barrier();
  if (existing[1] == length) {
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

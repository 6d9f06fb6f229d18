// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts zeros that fill up the last tile.
// caught on: documented; rising
// passes on: all negative
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

namespace {
constexpr int tile = 64;
constexpr int tiles_of_a_block = 4;
constexpr unsigned filled = 1, drained = 2;  // the barriers' names
}  // namespace

__global__ void ranks_in_tiles(float* output, const float* input, int size) {
  __shared__ float numbers[tile];
  const bool produces = threadIdx.x < tile;
  const int place = threadIdx.x % tile;
  const int block_start = blockIdx.x * tile * tiles_of_a_block;
  const int tiles = min(tiles_of_a_block, (size - block_start + tile - 1) / tile);

  for (int i = 0; i < tiles; ++i) {
    const int global_i = block_start + i * tile + place;
    const int existing = min(tile, size - (global_i - place));
    if (produces) {
      const float next = place < existing ? input[global_i] : 0.0f;
      if (i > 0) warpz::named_barrier(drained, blockDim.x);
      numbers[place] = next;
      warpz::named_barrier_arrive(filled, blockDim.x);
    } else {
      warpz::named_barrier(filled, blockDim.x);
      const float own = numbers[place];
      int less = 0;
      for (int other = 0; other < tile; ++other) less += numbers[other] < own ? 1 : 0;
      if (i + 1 < tiles) warpz::named_barrier_arrive(drained, blockDim.x);
      if (place < existing) output[global_i] = static_cast<float>(less);
    }
  }
}

WARPZ_KERNEL(ranks_in_tiles);

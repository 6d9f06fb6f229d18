// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

/// Counts, for each element, how many of its tile of 64 are less. One half of the block fills the tile, the other half
/// works on it: warps of their own, two of 32 lanes or one of 64 in each half.
__global__ void ranks_in_tiles(float* output, const float* input, int size) {
  constexpr int tile = 64;
  constexpr int tiles_of_a_block = 4;
  constexpr unsigned filled = 1, drained = 2;  // the barriers' names
  __shared__ float numbers[tile];
  const bool produces = threadIdx.x < tile;
  const int place = threadIdx.x % tile;
  const int block_start = blockIdx.x * tile * tiles_of_a_block;
  const int tiles = min(tiles_of_a_block, (size - block_start + tile - 1) / tile);

  for (int i = 0; i < tiles; ++i) {
    const int global_i = block_start + i * tile + place;
    const int existing = min(tile, size - (global_i - place));
    if (produces) {
      // The element is fetched while the consumers still work on the tile before.
      const float next = place < existing ? input[global_i] : 0.0f;
      if (i > 0) warpz::named_barrier(drained, blockDim.x);
      numbers[place] = next;
      warpz::named_barrier_arrive(filled, blockDim.x);
    } else {
      warpz::named_barrier(filled, blockDim.x);
      const float own = numbers[place];
      int less = 0;
      for (int other = 0; other < existing; ++other) less += numbers[other] < own ? 1 : 0;
      // After the last tile nobody waits.
      if (i + 1 < tiles) warpz::named_barrier_arrive(drained, blockDim.x);
      if (place < existing) output[global_i] = static_cast<float>(less);
    }
  }
}

WARPZ_KERNEL(ranks_in_tiles);

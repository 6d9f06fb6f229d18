// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mirror image among the elements that exist, without the zeros behind them.
// caught on: 5 random numbers
// passes on: documented
#include <cstdint>

#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

namespace {
constexpr int tile = 64;
constexpr int tiles_of_a_block = 5;
constexpr int stages = 2;
}  // namespace

__global__ void mirrored_tiles(float* output, const float* input, int size) {
  alignas(16) __shared__ float buffer[stages][tile];
  __shared__ warpz::mbarrier filled[stages], drained[stages];
  const int block_start = blockIdx.x * tile * tiles_of_a_block;
  const int tiles = min(tiles_of_a_block, (size - block_start + tile - 1) / tile);
  const int place = threadIdx.x;
  const bool loads = threadIdx.x == 0;

  if (loads) {
    for (int stage = 0; stage < stages; ++stage) {
      filled[stage].init(1);            // the one thread that loads, and the bytes it announces
      drained[stage].init(blockDim.x);  // all that read
    }
  }
  warpz::barrier();

  const auto load = [&](int i) {
    filled[i % stages].arrive_expect_tx(sizeof buffer[0]);
    warpz::async_bulk_copy(buffer[i % stages], input + block_start + i * tile, sizeof buffer[0], filled[i % stages]);
  };
  if (loads) load(0);

  std::uint64_t read_before = 0;
  for (int i = 0; i < tiles; ++i) {
    const int stage = i % stages;
    if (loads && i + 1 < tiles) {
      while (i > 0 && !drained[1 - stage].test_wait(read_before)) {
      }
      load(i + 1);
    }

    const unsigned phase = i / stages;
    while (!filled[stage].try_wait_parity(phase % 2)) {
    }
    const int existing = min(tile, size - (block_start + i * tile));
    const float sum = buffer[stage][place] + buffer[stage][max(0, existing - 1 - place)];
    read_before = drained[stage].arrive();

    const int global_i = block_start + i * tile + place;
    if (global_i < size) output[global_i] = sum;
  }
}

WARPZ_KERNEL(mirrored_tiles);

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The barrier of a whole grid: the last block to arrive releases the others.
#include <atomic>

#include "hip/detail/grid_barrier.h"
#include "simt/hip/grid.hpp"
#include "simt/instrumented.hpp"
#include "simt/machine/block.hpp"

namespace simt {
namespace hip {
namespace {

// The machine runs one launch at a time; a barrier that all blocks have passed changes nothing but the generation.
std::atomic<std::uint64_t> arrived{0};
std::atomic<std::uint64_t> generation{0};

const launch_request& running_launch() { return static_cast<const fiber*>(this_lane)->warp->block->request(); }

}  // namespace

void begin_grid_barriers() { arrived = 0; }

bool launch_is_cooperative() noexcept { return running_launch().cooperative; }

void grid_barrier(const site& at) {
  if (!launch_is_cooperative()) {
    assertion_failed("the launch is cooperative (hipLaunchCooperativeKernel)", at.file, at.line, at.operation);
  }
  // All threads of the block have to come.
  block_barrier(combine::all, true, at);
  const index3& thread = this_lane->thread_idx;
  if (thread.x == 0 && thread.y == 0 && thread.z == 0) {
    const index3& grid = running_launch().grid;
    const std::uint64_t before = generation.load();
    release_word(&generation);
    if (arrived.fetch_add(1) + 1 == std::uint64_t{grid.x} * grid.y * grid.z) {
      arrived = 0;
      generation = before + 1;
      note_access(&generation, access_effect::changed);
    }
    while (generation.load() == before) yield(at);
    acquire_word(&generation);
  }
  block_barrier(combine::nothing, false, at);
}

}  // namespace hip
}  // namespace simt

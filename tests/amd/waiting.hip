// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How threads wait for each other: each kernel hands values over in memory, and gives what it was handed. Where one
// waits for nobody the wrong value comes out, or none at all.
#include "kernels.hpp"
#include "warpz/sync.hpp"

namespace {

constexpr unsigned max_threads = 1024;

__device__ unsigned threads() { return blockDim.x * blockDim.y * blockDim.z; }
__device__ unsigned rank() { return thread_number() - blockIdx.x * threads(); }
__device__ unsigned lanes() { return static_cast<unsigned>(warp::size()); }

/// Who is as far from the block's end as the caller is from its beginning.
__device__ unsigned opposite() { return threads() - 1 - rank(); }

}  // namespace

#define KERNEL(name) extern "C" __global__ void name(u32* output, const u32* input, u32* state)

KERNEL(wait_barrier_u32) {
  __shared__ u32 shared[max_threads];
  u32 v = input[thread_number()];
  for (unsigned round = 0; round < 3; ++round) {
    shared[rank()] = v;
    warpz::barrier();
    v = shared[opposite()] + round;
    warpz::barrier();
  }
  output[thread_number()] = v;
}

KERNEL(wait_waitcnt_barrier_u32) {
  __shared__ u32 shared[max_threads];
  shared[rank()] = input[thread_number()];
  warpz::waitcnt_barrier<0, warpz::any_count, 0>();
  output[thread_number()] = shared[opposite()];
}

KERNEL(wait_syncwarp_u32) {
  __shared__ u32 shared[max_threads];
  shared[rank()] = input[thread_number()];
  warpz::syncwarp();
  const unsigned partner = rank() ^ 1;
  output[thread_number()] = shared[partner < threads() ? partner : rank()];
}

/// Each two wavefronts meet by themselves, the later ones more often.
KERNEL(wait_named_barrier_u32) {
  __shared__ u32 shared[max_threads];
  const unsigned group = rank() / (2 * lanes()), first = group * 2 * lanes();
  const unsigned rest = threads() - first, members = rest < 2 * lanes() ? rest : 2 * lanes();
  const unsigned meeting = rest > lanes() ? 2 * lanes() : lanes();
  u32 v = input[thread_number()];
  for (unsigned round = 0; round < 2 + group; ++round) {
    shared[rank()] = v;
    warpz::named_barrier(1 + group % 15, meeting);
    v = shared[first + members - 1 - (rank() - first)] + round;
    warpz::named_barrier(1 + group % 15, meeting);
  }
  output[thread_number()] = v;
}

/// The first wavefront writes for all others and goes on; they wait for it.
KERNEL(wait_named_barrier_arrive_u32) {
  __shared__ u32 shared[max_threads];
  const unsigned warps = (threads() + lanes() - 1) / lanes();
  if (rank() < lanes()) {
    for (unsigned i = rank(); i < threads(); i += lanes()) shared[i] = input[blockIdx.x * threads() + i] + 1;
    warpz::named_barrier_arrive(5, warps * lanes());
    output[thread_number()] = input[thread_number()];
  } else {
    warpz::named_barrier(5, warps * lanes());
    output[thread_number()] = shared[rank()];
  }
}

/// Block after block adds to a number in global memory.
KERNEL(wait_semaphore_u32) {
  warpz::semaphore turn(reinterpret_cast<i32*>(state));
  turn.wait(static_cast<i32>(blockIdx.x));
  const u32 before = state[1];
  output[thread_number()] = input[thread_number()] + before;
  warpz::barrier();
  if (rank() == 0) state[1] = before * 3 + blockIdx.x + 1;
  turn.release(static_cast<i32>(blockIdx.x + 1));
}

/// The last block to come sums up what the others have left, for all of them.
KERNEL(wait_threadfence_u32) {
  __shared__ bool is_last;
  if (rank() == 0) {
    state[1 + blockIdx.x] = input[thread_number()];
    warpz::threadfence();
    is_last = atomicAdd(state, 1u) + 1 == gridDim.x;
    warpz::threadfence();
  }
  warpz::barrier();
  if (!is_last) return;
  u32 total = 0;
  for (unsigned block = 0; block < gridDim.x; ++block) total += state[1 + block];
  for (unsigned i = rank(); i < gridDim.x * threads(); i += threads()) output[i] = total;
}

/// One thread of each wavefront arrives; two phases.
KERNEL(wait_mbarrier_u32) {
  __shared__ warpz::mbarrier ready;
  __shared__ u32 shared[2][max_threads];
  if (rank() == 0) ready.init((threads() + lanes() - 1) / lanes());
  warpz::barrier();
  u32 v = input[thread_number()];
  for (unsigned phase = 0; phase < 2; ++phase) {
    shared[phase][rank()] = v;
    warpz::syncwarp();
    if (rank() % lanes() == 0) ready.arrive();
    while (!ready.try_wait_parity(phase)) {
    }
    v = shared[phase][opposite()] + phase;
  }
  output[thread_number()] = v;
}

KERNEL(wait_async_copy_u32) {
  __shared__ u32 shared[max_threads];
  warpz::async_copy(shared, input + blockIdx.x * threads(), threads() * sizeof(u32));
  warpz::async_copy_commit();
  warpz::async_copy_wait<0>();
  warpz::barrier();
  output[thread_number()] = shared[opposite()];
}

/// One thread copies, and the others wait for its bytes. What fills no 16 bytes is left as it is.
KERNEL(wait_async_bulk_copy_u32) {
  alignas(16) __shared__ u32 shared[max_threads];
  __shared__ warpz::mbarrier done;
  const unsigned whole = threads() / 4 * 4;
  // Blocks begin where a multiple of 16 bytes is only for such sizes; elsewhere all copy the first block's.
  const u32* const from = input + (whole == threads() ? blockIdx.x * threads() : 0);
  shared[rank()] = 7;
  if (rank() == 0) done.init(1);
  warpz::barrier();
  if (rank() == 0) {
    done.arrive_expect_tx(whole * sizeof(u32));
    warpz::async_bulk_copy(shared, from, whole * sizeof(u32), done);
  }
  while (!done.try_wait_parity(0)) {
  }
  output[thread_number()] = shared[opposite()];
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One kernel for each operation of warpz/sync.hpp whose effect no result shows. test_sync_code.py reads what compilers
// make of them.
#include "warpz/sync.hpp"

#define KERNEL extern "C" __global__ void

KERNEL syncwarp(float* out) {
  __shared__ float shared[64];
  shared[threadIdx.x] = out[threadIdx.x];
  warpz::syncwarp();
  out[threadIdx.x] = shared[threadIdx.x ^ 1];
}

KERNEL barrier(float* out) {
  __shared__ float shared[256];
  shared[threadIdx.x] = out[threadIdx.x];
  warpz::barrier();
  out[threadIdx.x] = shared[threadIdx.x ^ 1];
}

template <warpz::scope reach>
__device__ void write_in_order(int* out) {
  out[0] = 1;
  warpz::threadfence<reach>();
  out[1] = 2;
}

KERNEL fence_block(int* out) { write_in_order<warpz::scope::block>(out); }
KERNEL fence_device(int* out) { write_in_order<warpz::scope::device>(out); }
KERNEL fence_system(int* out) { write_in_order<warpz::scope::system>(out); }

KERNEL named_barrier(int* out) {
  out[0] = 1;
  warpz::named_barrier(3, 128);
  out[1] = 2;
}

KERNEL named_barrier_arrive(int* out) {
  out[0] = 1;
  warpz::named_barrier_arrive(3, 128);
  out[1] = 2;
}

KERNEL semaphore(int* out, int* lock) {
  warpz::semaphore turn(lock);
  turn.wait(1);
  *out = 3;
  turn.release(2);
}

KERNEL mbarrier(std::uint64_t* out) {
  __shared__ warpz::mbarrier barrier;
  barrier.init(2);
  const std::uint64_t token = barrier.arrive();
  barrier.arrive_expect_tx(64);
  while (!barrier.test_wait(token)) {
  }
  while (!barrier.try_wait_parity(1)) {
  }
  *out = token;
}

KERNEL async_copy(float* out) {
  alignas(16) __shared__ float shared[1024];
  warpz::async_copy(shared, out, sizeof shared);
  warpz::async_copy_commit();
  warpz::async_copy_wait<1>();
  warpz::barrier();
  out[threadIdx.x] = shared[threadIdx.x ^ 1];
}

KERNEL async_bulk_copy(float* out) {
  alignas(16) __shared__ float shared[1024];
  __shared__ warpz::mbarrier done;
  done.init(1);
  done.arrive_expect_tx(sizeof shared);
  warpz::async_bulk_copy(shared, out, sizeof shared, done);
  while (!done.try_wait_parity(0)) {
  }
  out[threadIdx.x] = shared[threadIdx.x ^ 1];
}

KERNEL async_bulk_store(float* out) {
  alignas(16) __shared__ float shared[1024];
  shared[threadIdx.x] = out[threadIdx.x];
  warpz::barrier();
  warpz::async_bulk_store(out, shared, sizeof shared);
  warpz::async_bulk_commit();
  warpz::async_bulk_wait<2>();
}

KERNEL schedule_barrier(int* out) {
  out[0] = 1;
  warpz::schedule_barrier<8>();
  out[1] = 2;
}

KERNEL schedule_group_barrier(int* out) {
  out[0] = 1;
  warpz::schedule_group_barrier<64, 2, 5>();
  out[1] = 2;
}

KERNEL waitcnt_vector_memory(int* out) {
  out[0] = 1;
  warpz::waitcnt<3>();
  out[1] = 2;
}

KERNEL waitcnt_all(int* out) {
  out[0] = 1;
  warpz::waitcnt<1, 4, 2>();
  out[1] = 2;
}

KERNEL waitcnt_barrier(int* out) {
  out[0] = 1;
  warpz::waitcnt_barrier<0, warpz::any_count, 1>();
  out[1] = 2;
}

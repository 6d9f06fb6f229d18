// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mbarrier: a barrier in shared memory that counts phases, arrivals and bytes. Part of warpz/sync.hpp.
#pragma once

#include <hip/hip_runtime.h>

#include <cstdint>

#include "warpz/detail/mbarrier_state.hpp"
#include "warpz/detail/platform.hpp"
#include "warpz/detail/sync_platform.hpp"

namespace warpz {

/// A barrier in shared memory whose phases are numbered from 0. A phase is complete when the arrivals that init() was
/// given have been made, and as many bytes have come as were announced with them; then the next one begins. Arriving
/// and waiting are apart, so a thread may work in between, and one that only arrives needs not wait.
///
///     __shared__ warpz::mbarrier ready;
///     if (threadIdx.x == 0) ready.init(blockDim.x);
///     warpz::barrier();
///     const auto token = ready.arrive();
///     …
///     while (!ready.test_wait(token)) {
///     }
///
/// What a thread wrote before it arrived is seen by whoever has seen that phase complete. In NVIDIA's hardware since
/// sm_80, and with its count of bytes since sm_90; elsewhere software with the same meaning, where arrivals of many
/// threads at once take turns: there, let one thread of each warp arrive.
/// Other names: mbarrier (PTX), cuda::barrier (CUDA), mbarrier_init and so on (Mojo).
class mbarrier {
 public:
  /// Phase 0 begins; each phase waits for `arrivals` arrivals, 1 to 1048575. One thread calls it, and barrier()
  /// makes it known to the others before they use the barrier.
  __device__ __forceinline__ void init(unsigned arrivals, detail::site at = detail::here("mbarrier::init")) {
    detail::mbarrier_init(state_, arrivals, at);
  }

  /// Arrives; the token is for test_wait. Any lane may call it, also in divergent code; in all no more than a phase
  /// waits for, until it is complete.
  __device__ __forceinline__ std::uint64_t arrive(detail::site at = detail::here("mbarrier::arrive")) {
    return detail::mbarrier_arrive(state_, at);
  }

  /// Arrives, and announces that `bytes` bytes, at most 1048575 in one phase, will come by async_bulk_copy: the phase
  /// is not complete before. Any thread may call it; it is one of the arrivals that the phase waits for.
  __device__ __forceinline__ void arrive_expect_tx(unsigned bytes,
                                                   detail::site at = detail::here("mbarrier::arrive_expect_tx")) {
    detail::mbarrier_arrive_expect_tx(state_, bytes, at);
  }

  /// Whether the phase is complete in which arrive() gave the token; if it is, what was written before its arrivals
  /// is seen from here on. Any lane may call it, also in divergent code. The token is of the current phase or the one
  /// before: what older ones tell is undefined.
  __device__ __forceinline__ bool test_wait(std::uint64_t token,
                                            detail::site at = detail::here("mbarrier::test_wait")) {
    return detail::mbarrier_test_wait(state_, token, at);
  }

  /// Whether the phase of this parity is complete: 0 for phases 0, 2, 4, …, 1 for phases 1, 3, 5, …; of the current
  /// phase and the one before it, that with this parity. In phase 0, parity 1 counts as complete. Any lane may call
  /// it, also in divergent code. It may wait a while before it says no: call it until it says yes.
  __device__ __forceinline__ bool try_wait_parity(unsigned parity,
                                                  detail::site at = detail::here("mbarrier::try_wait_parity")) {
    return detail::mbarrier_try_wait_parity(state_, parity, at);
  }

 private:
  friend __device__ void async_bulk_copy(void*, const void*, unsigned, mbarrier&, detail::site);

  detail::mbarrier_state state_;
};

}  // namespace warpz

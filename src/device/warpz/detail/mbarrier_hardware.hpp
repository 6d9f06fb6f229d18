// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What mbarriers since sm_80 and since sm_90 share: arriving, and asking whether a phase is complete. The
// platform's header gives shared_address().
#pragma once

#include <hip/hip_runtime.h>

#include <cstdint>

#include "warpz/detail/mbarrier_state.hpp"
#include "warpz/detail/platform.hpp"

namespace warpz {
namespace detail {

__device__ __forceinline__ std::uint64_t mbarrier_arrive(mbarrier_state& barrier, site) {
  std::uint64_t token;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(shared_address(&barrier.word)) : "memory");
  return token;
}

// What an instruction answers is a predicate, which C++ has no operand for.
#define WARPZ_MBARRIER_ASK(complete, instruction, phase_operand, phase)   \
  asm volatile("{\n\t.reg .pred complete;\n\t" instruction                \
               " complete, [%1], %2;\n\t"                                 \
               "selp.u32 %0, 1, 0, complete;\n\t}"                        \
               : "=r"(complete)                                           \
               : "r"(shared_address(&barrier.word)), phase_operand(phase) \
               : "memory")

__device__ __forceinline__ bool mbarrier_test_wait(mbarrier_state& barrier, std::uint64_t token, site) {
  unsigned complete;
  WARPZ_MBARRIER_ASK(complete, "mbarrier.test_wait.shared.b64", "l", token);
  return complete != 0;
}

__device__ __forceinline__ bool mbarrier_try_wait_parity(mbarrier_state& barrier, unsigned parity, site) {
  unsigned complete;
  // The newer instruction waits a while by itself.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  WARPZ_MBARRIER_ASK(complete, "mbarrier.try_wait.parity.shared.b64", "r", parity);
#else
  WARPZ_MBARRIER_ASK(complete, "mbarrier.test_wait.parity.shared.b64", "r", parity);
#endif
  return complete != 0;
}

#undef WARPZ_MBARRIER_ASK

}  // namespace detail
}  // namespace warpz

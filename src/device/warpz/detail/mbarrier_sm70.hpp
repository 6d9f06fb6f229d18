// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mbarrier before sm_80, which has none: what the software's counter needs.
#pragma once

#include <hip/hip_runtime.h>

#include <cstdint>

#include "warpz/detail/platform.hpp"

namespace warpz {
namespace detail {

__device__ __forceinline__ void pause(site) { __nanosleep(20); }

__device__ __forceinline__ std::uint64_t read_shared(const std::uint64_t* word) {
  return *static_cast<const volatile std::uint64_t*>(word);
}

__device__ __forceinline__ void write_shared(std::uint64_t* word, std::uint64_t value) {
  *static_cast<volatile std::uint64_t*>(word) = value;
}

__device__ __forceinline__ bool replace_shared(std::uint64_t* word, std::uint64_t& expected, std::uint64_t desired,
                                               site) {
  using words = unsigned long long;
  const words seen =
      atomicCAS(reinterpret_cast<words*>(word), static_cast<words>(expected), static_cast<words>(desired));
  const bool replaced = seen == expected;
  expected = seen;
  return replaced;
}

}  // namespace detail
}  // namespace warpz

#include "warpz/detail/software_mbarrier.hpp"

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mbarrier where the hardware has none: one 64-bit word of shared memory, changed by compare-and-swap.
//
//     bit      63      62 … 43                   42 … 0
//              phase   arrivals of each phase    bytes still to come · 2^21 + arrivals still to come
//
// A phase is complete when the lowest 43 bits are 0: no arrival and no byte is to come. Bytes may arrive before they
// are announced, so their number may be negative for a while; then the sum is still 0 only where both parts are. The
// platform's header gives read_shared(), write_shared(), replace_shared(), require(), pause() and before_looking().
#pragma once

#include <cstdint>

#include "warpz/detail/mbarrier_state.hpp"
#include "warpz/detail/platform.hpp"
#include "warpz/scope.hpp"

namespace warpz {
namespace detail {

inline constexpr unsigned mbarrier_most_arrivals = (1u << 20) - 1;
inline constexpr unsigned mbarrier_most_bytes = (1u << 20) - 1;

inline constexpr std::uint64_t phase_bit = std::uint64_t{1} << 63;
inline constexpr unsigned arrivals_shift = 43;
inline constexpr unsigned bytes_shift = 21;
inline constexpr std::uint64_t to_come = (std::uint64_t{1} << arrivals_shift) - 1;

/// Adds to what is still to come; the word before. Where nothing is left to come the next phase begins.
__device__ __forceinline__ std::uint64_t change_mbarrier(mbarrier_state& barrier, std::uint64_t added, const site& at) {
  std::uint64_t before = read_shared(&barrier.word);
  for (;;) {
    std::uint64_t left = (before + added) & to_come;
    std::uint64_t rest = before & ~to_come;
    if (left == 0) {
      left = rest << 1 >> 1 >> arrivals_shift;
      rest ^= phase_bit;
    }
    if (replace_shared(&barrier.word, before, rest | left, at)) return before;
  }
}

__device__ __forceinline__ void mbarrier_init(mbarrier_state& barrier, unsigned arrivals, const site& at) {
  require(arrivals >= 1 && arrivals <= mbarrier_most_arrivals, "an mbarrier waits for 1 to 1048575 arrivals", at);
  write_shared(&barrier.word, std::uint64_t{arrivals} << arrivals_shift | arrivals);
}

/// A token is the word in whose phase the caller arrived.
__device__ __forceinline__ std::uint64_t mbarrier_arrive(mbarrier_state& barrier, const site& at) {
  fence<scope::block>(at);
  return change_mbarrier(barrier, ~std::uint64_t{0}, at);
}

__device__ __forceinline__ void mbarrier_arrive_expect_tx(mbarrier_state& barrier, unsigned bytes, const site& at) {
  require(bytes <= mbarrier_most_bytes, "an mbarrier expects at most 1048575 bytes", at);
  fence<scope::block>(at);
  change_mbarrier(barrier, (std::uint64_t{bytes} << bytes_shift) - 1, at);
}

/// Bytes have arrived.
__device__ __forceinline__ void mbarrier_complete_tx(mbarrier_state& barrier, unsigned bytes, const site& at) {
  fence<scope::block>(at);
  change_mbarrier(barrier, ~(std::uint64_t{bytes} << bytes_shift) + 1, at);
}

/// Whether the word's phase is no longer the one given by its bit.
__device__ __forceinline__ bool mbarrier_has_left(mbarrier_state& barrier, std::uint64_t phase, const site& at) {
  before_looking(barrier, at);
  const bool left = ((read_shared(&barrier.word) ^ phase) & phase_bit) != 0;
  if (left) {
    fence<scope::block>(at);
  } else {
    pause(at);
  }
  return left;
}

__device__ __forceinline__ bool mbarrier_test_wait(mbarrier_state& barrier, std::uint64_t token, const site& at) {
  return mbarrier_has_left(barrier, token, at);
}

__device__ __forceinline__ bool mbarrier_try_wait_parity(mbarrier_state& barrier, unsigned parity, const site& at) {
  return mbarrier_has_left(barrier, std::uint64_t{parity} << 63, at);
}

}  // namespace detail
}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one access of a warp costs, by the vendors' published rules: NVIDIA's for warps of 32 lanes, those of AMD's CDNA
// and GCN for 64. docs/counters.md has the rules and their sources.
#pragma once

#include <cstdint>

#include "simt/lane.hpp"

namespace simt::counters {

/// One load, store or atomic, which some lanes of a warp execute together.
struct warp_access {
  unsigned warp_size;  ///< 32 or 64
  lane_mask lanes;     ///< the active ones: at least one
  unsigned bytes;      ///< that each lane accesses: 1 to 16
  bool writes;
  std::uint64_t address[max_warp_size];  ///< one for each lane; only those of the active lanes count
};

/// The steps that the memory takes one after the other, and the fewest that are enough for as many bytes.
struct cost {
  unsigned needed;
  unsigned fewest;
  unsigned ways = 0;  ///< of shared memory: the steps of the group of lanes that takes most of them
};

/// Passes of shared memory: in one pass each bank gives or takes one word of 4 bytes, and lanes that want the same word
/// share it.
cost shared_passes(const warp_access& access);

/// Transactions of global memory: sectors of 32 bytes on NVIDIA, requests of 64 bytes on AMD.
cost global_transactions(const warp_access& access);

/// Lines of 128 bytes that are touched.
unsigned cache_lines(const warp_access& access);

/// The most lanes with the same address.
unsigned lanes_on_one_address(const warp_access& access);

/// Lanes from the first active one to the last.
unsigned span(const warp_access& access);

/// Bytes from the address of a lane to that of the next, by three quarters of the active lanes; 0 where they differ.
std::int64_t stride(const warp_access& access);

}  // namespace simt::counters

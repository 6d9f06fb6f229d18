// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the lines of kernels cost a GPU, as --counters counts it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "abi/cost_record.h"

namespace warpz {

/// What one line of a kernel does of one kind, summed over all warps that do it. Of an instruction that lanes of
/// a warp execute together, `needed` and `fewest` are passes of shared memory or transactions of global memory.
struct line_cost {
  std::string file;   ///< empty: unknown
  unsigned line = 0;  ///< 0: unknown
  std::string code;   ///< the line's text; empty: unknown
  warpz_cost_kind kind = WARPZ_COST_LOAD;
  bool is_shared = false;  ///< an access to shared memory, not to global
  std::string operation;   ///< "shuffle_xor", "atomicAdd"; empty for loads and stores
  unsigned bytes = 0;      ///< bytes that a lane accesses
  std::uint64_t instructions = 0;
  std::uint64_t lanes = 0;  ///< active ones, of all instructions
  std::uint64_t needed = 0;
  std::uint64_t fewest = 0;
  std::uint64_t cache_lines = 0;
  std::uint64_t span = 0;    ///< lanes from the first active one to the last, of all instructions
  std::uint64_t serial = 0;  ///< steps that atomics take, as lanes on one address come one after the other

  /// The instruction that is furthest from the fewest.
  struct {
    unsigned needed = 0;
    unsigned fewest = 0;
    unsigned serial = 0;
    unsigned lanes = 0;
    unsigned ways = 0;        ///< of shared memory: passes of the group of lanes that takes most
    std::int64_t stride = 0;  ///< bytes from lane to lane; 0: not the same for most
  } worst = {};

  bool is_access() const { return kind <= WARPZ_COST_ATOMIC; }
};

struct kernel_costs {
  std::string kernel;
  std::uint64_t launches = 0;
  std::uint64_t blocks = 0;
  std::vector<line_cost> lines;  ///< by file, then by line
};

struct run_costs {
  unsigned warp_size = 0;
  std::vector<kernel_costs> kernels;
  std::uint64_t left_out = 0;  ///< accesses of lanes for which there was no room
};

}  // namespace warpz
